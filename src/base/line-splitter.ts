/** Splits a stream of bytes into lines of bounded length. */

/**
 * A line, or a note that one was longer than allowed. Its bytes are dropped as they come, and the next line is read
 * again.
 */
export type SplitLine = { readonly kind: "line"; readonly text: string } | { readonly kind: "too-long" };

const LINE_FEED = 0x0a;

export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

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
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else this.#parts.push(part);
  }

  #finish(): SplitLine {
    const line: SplitLine =
      this.#bytes > this.#maxBytes
        ? { kind: "too-long" }
        : { kind: "line", text: Buffer.concat(this.#parts).toString("utf8") };
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}
