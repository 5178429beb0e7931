import type { CleanText } from "../clean/cleaner.ts";

/** Lines in bytes of UTF-8, found without decoding what lies between. */
export const LINE_FEED = 0x0a;

/** Caches the last result of a search: a call before that position returns it again instead of searching again. */
export function onceEach(search: (at: number) => number): (at: number) => number {
  let known: number | null = null;
  return (at) => {
    if (known === null || (known !== -1 && known < at)) known = search(at);
    return known;
  };
}

export function startOfLine(bytes: Buffer, at: number): number {
  return at <= 0 ? at : bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
}

export function lineEnd(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  return end === -1 ? bytes.length : end;
}

export function textOf(bytes: Buffer, from: number, end: number): string {
  const isReturn = end > from && bytes[end - 1] === 0x0d;
  return bytes.toString("utf8", from, isReturn ? end - 1 : end);
}

export function countLines(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (bytes[i] === LINE_FEED) count++;
  return count;
}

export function markBefore(marks: CleanText["marks"], byte: number): number | undefined {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.textByte ?? 0) <= byte) low = middle + 1;
    else high = middle;
  }
  return marks[low - 1]?.cursor;
}

export interface Step {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** In pieces of at most `maxBytes`, each up to the end of a line where there is one in it. */
export function* lineSteps(bytes: Uint8Array, maxBytes: number): Generator<Step> {
  for (let at = 0; at < bytes.length; ) {
    const most = Math.min(bytes.length, at + maxBytes);
    const piece = bytes.subarray(at, most);
    const length = most === bytes.length ? 0 : piece.lastIndexOf(LINE_FEED) + 1;
    yield { at, bytes: length === 0 ? piece : piece.subarray(0, length) };
    at += length === 0 ? piece.length : length;
  }
}
