/** Cuts a stream of bytes into lines, none of which can fill the memory. */
import type { LineEnds } from "./outer-fields.ts";

/** A line, or the ends of one that was longer than allowed: the rest of it is dropped as it comes, and the next one is read again. */
export type SplitLine = { readonly kind: "line"; readonly text: string } | ({ readonly kind: "too-long" } & LineEnds);

const LINE_FEED = 0x0a;
/** Room for a method and an id. */
const END_BYTES = 1024;

export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #isTooLong = false;
  #head: Uint8Array = new Uint8Array();
  #tail: Uint8Array = new Uint8Array();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): SplitLine[] {
    const lines: SplitLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      this.#take(chunk.subarray(from, at));
      lines.push(this.#finish());
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
    return lines;
  }

  #take(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (!this.#isTooLong) this.#parts.push(part);
    else this.#tail = lastOf([this.#tail, part]);
    if (this.#isTooLong || this.#bytes <= this.#maxBytes) return;
    this.#isTooLong = true;
    this.#head = Buffer.concat(this.#parts, Math.min(this.#bytes, END_BYTES));
    this.#tail = lastOf(this.#parts);
    this.#parts = [];
  }

  #finish(): SplitLine {
    const line: SplitLine = this.#isTooLong
      ? { kind: "too-long", head: textOf(this.#head), tail: textOf(this.#tail) }
      : { kind: "line", text: textOf(Buffer.concat(this.#parts)) };
    this.#parts = [];
    this.#bytes = 0;
    this.#isTooLong = false;
    return line;
  }
}

/** A copy, which keeps nothing else in memory. */
function lastOf(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts.slice(-END_BYTES).map((part) => part.subarray(-END_BYTES))).subarray(-END_BYTES);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}
