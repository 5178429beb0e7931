/** A place in the journal: bytes since the session began. Only grows. */
export type Cursor = number;

/** A bounded piece of the journal, without a gap inside: `next - from` is the length of `bytes`. */
export interface Page {
  /** A copy, the reader's to keep. Empty at the end of what there is. */
  readonly bytes: Uint8Array;
  /** Where `bytes` begins: later than asked for when older bytes were dropped. */
  readonly from: Cursor;
  /** Where to read on. */
  readonly next: Cursor;
  /** Bytes between what was asked for and `from` that are lost; 0 where none are. */
  readonly dropped: number;
}
