import type { MarkOptions } from "../mark.ts";
import type { CutOptions } from "./cut-middle.ts";
import { checkBudget, joinEnds, type Truncated } from "./truncate-middle.ts";

/**
 * `truncateMiddle` for a text that arrives in pieces and is too large to hold: keeps only the two ends that the
 * result could show, about twice the budget.
 */
export class HeadTail {
  readonly #budget: number;
  /** How much of an end the result can show, in units of UTF-16. */
  readonly unitsPerEnd: number;
  readonly #options: MarkOptions;
  #head = "";
  #tail = "";
  #totalBytes = 0;
  #highSurrogate = "";

  constructor(maxBytes: number, options: MarkOptions = {}) {
    this.#options = options;
    this.#budget = checkBudget(maxBytes);
    this.unitsPerEnd = Math.ceil(this.#budget / 2) + 2;
  }

  /** Bytes of UTF-8 so far. */
  get totalBytes(): number {
    return this.#totalBytes + (this.#highSurrogate === "" ? 0 : 3);
  }

  push(piece: string): void {
    if (piece === "") return;
    let text = this.#highSurrogate + piece;
    // Half a surrogate pair counts as 3 bytes, the pair as 4: the next piece may begin with the other half.
    const last = text.charCodeAt(text.length - 1);
    this.#highSurrogate = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : "";
    if (this.#highSurrogate !== "") text = text.slice(0, -1);
    this.#totalBytes += Buffer.byteLength(text);
    const missing = this.unitsPerEnd - this.#head.length;
    if (missing > 0) {
      this.#head += detached(text.slice(0, missing));
      text = text.slice(missing);
    }
    this.#tail += text.length > this.unitsPerEnd ? detached(text.slice(-this.unitsPerEnd)) : text;
    // Trimmed only at twice the size, so that each unit is copied a bounded number of times.
    if (this.#tail.length > 2 * this.unitsPerEnd) this.#tail = detached(this.#tail.slice(-this.unitsPerEnd));
  }

  /** The same as `truncateMiddle` of all pieces joined. Can be called at any time, and again after more pieces. */
  result({ droppedBytes }: Pick<CutOptions, "droppedBytes"> = {}): Truncated {
    const tail = this.#tail + this.#highSurrogate;
    const totalBytes = this.totalBytes;
    // Within the budget nothing was dropped yet: each end holds more than half of it.
    if (totalBytes <= this.#budget) return { text: this.#head + tail, originalTokenCount: null, cut: null };
    const isShort = this.#tail.length < this.unitsPerEnd;
    const end = isShort ? this.#head + tail : tail;
    return joinEnds(this.#head, end, { totalBytes, budget: this.#budget, ...this.#options, droppedBytes });
  }
}

/** A slice keeps the whole string behind it alive; a copy does not. */
function detached(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le");
}
