/** What the journal needs to know about redaction. */
import type { Cursor } from "../../base/cursor.ts";

/** Finds what must not be stored in one stream of output. */
export interface Redactor {
  /** Where something begins that may have to be redacted once its rest arrives; undefined if nothing does. */
  readonly openFrom: Cursor | undefined;
  /** Reads the next bytes, the first of which is at `cursor`. Calls `mask` with each range to redact. */
  push(bytes: Uint8Array, cursor: Cursor, mask: (from: Cursor, to: Cursor) => void): void;
  /** No more output follows soon: masks an incomplete secret, if its beginning reveals too much. */
  settle(mask: (from: Cursor, to: Cursor) => void): void;
}

/** What to redact. It may grow at any time. */
export interface Redaction {
  /** 0 while there is nothing to redact. Grows with each addition. */
  readonly version: number;
  /** The length of the longest value to redact. */
  readonly longestBytes: number;
  /** A redactor for one stream of output. It redacts the values that are known now. */
  redactor(): Redactor;
}

const MASK = 0x2a;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Replaces each byte by a mask, so that cursors stay valid. Line ends stay, so that a text keeps its lines. */
export function maskBytes(bytes: Uint8Array, from: number, to: number): void {
  for (let at = Math.max(0, from); at < Math.min(to, bytes.length); at++) {
    if (bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) bytes[at] = MASK;
  }
}
