import { shortCsiEnd } from "../../text/escape/short-csi-end.ts";

/** Sequences that cost little whatever their numbers: movement, colours, erasing within a line. */
const IS_LIGHT: readonly boolean[] = Array.from({ length: 128 }, (_, byte) =>
  "ABCDEFGHKdefmrsu`a".includes(String.fromCharCode(byte)),
);

/**
 * Where a short and cheap CSI sequence that begins at `at` ends; -1 for all others. Most sequences are of this kind.
 */
export function lightEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 2] === 0x3f) return caretEnd(bytes, at);
  const end = shortCsiEnd(bytes, at);
  if (end < 0 || !IS_LIGHT[bytes[end - 1] as number]) return -1;
  return hasColon(bytes, at, end) ? -1 : end;
}

/** A colour with colons may have to be written in another form. */
function hasColon(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === 0x3a) return true;
  return false;
}

/** The end of `CSI ? 25 h` and `CSI ? 25 l`, which come with every redraw. */
function caretEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b || bytes[at + 3] !== 0x32 || bytes[at + 4] !== 0x35) return -1;
  return bytes[at + 5] === 0x68 || bytes[at + 5] === 0x6c ? at + 6 : -1;
}
