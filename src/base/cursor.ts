/** A position in the journal: bytes since the session started. Only grows. */
export type Cursor = number;

/** A bounded part of the journal, without gaps: `next - from` is the length of `bytes`. */
export interface Page {
  /** A copy that the reader may keep. Empty at the end of the journal. */
  readonly bytes: Uint8Array;
  /** Where `bytes` begins: later than requested if older bytes were dropped. */
  readonly from: Cursor;
  /** Where the next page begins. */
  readonly next: Cursor;
  /** Bytes between the requested cursor and `from` that are lost. */
  readonly dropped: number;
}
