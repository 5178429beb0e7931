/** Splits a stream of bytes into lines of bounded length. */

/**
 * A line, or a note that one was longer than allowed. Its bytes are dropped as they arrive, and reading continues with
 * the next line.
 */
export type SplitLine = { readonly kind: "line"; readonly text: string } | { readonly kind: "too-long" };

const LINE_FEED = 0x0a;

export class LineSplitter {
  readonly #maxBytes: number;
  readonly #mayHold: (bytes: number) => boolean;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #isTooLong = false;

  /** `mayHold` is asked before a line grows: if it says no, the line counts as too long. Default: always yes. */
  constructor(maxBytes: number, mayHold: (bytes: number) => boolean = () => true) {
    this.#maxBytes = maxBytes;
    this.#mayHold = mayHold;
  }

  /** The bytes that it holds of a line that has not ended. */
  get heldBytes(): number {
    return this.#isTooLong ? 0 : this.#bytes;
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
    this.#isTooLong ||= this.#bytes > this.#maxBytes || !this.#mayHold(this.#bytes);
    if (this.#isTooLong) this.#parts = [];
    else this.#parts.push(part);
  }

  #finish(): SplitLine {
    const line: SplitLine = this.#isTooLong
      ? { kind: "too-long" }
      : { kind: "line", text: Buffer.concat(this.#parts).toString("utf8") };
    this.#parts = [];
    this.#bytes = 0;
    this.#isTooLong = false;
    return line;
  }
}
