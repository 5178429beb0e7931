/** Which stream each part of the journal came from, as a list of changes: a terminal needs one entry, pipes one per switch. */
import { MAX_ORIGIN_CHANGES } from "../base/limits.ts";
import type { Origin } from "../transport/transport.ts";

/** A part of the journal from one stream: `from` inclusive, `to` exclusive, both cursors. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly origin: Origin;
}

export class Origins {
  readonly #changes: { readonly at: number; readonly origin: Origin }[] = [];

  note(at: number, origin: Origin): void {
    if (this.#changes.at(-1)?.origin === origin) return;
    this.#changes.push({ at, origin });
    // Halving at once keeps the cost of forgetting low.
    if (this.#changes.length > MAX_ORIGIN_CHANGES) this.#changes.splice(0, MAX_ORIGIN_CHANGES / 2);
  }

  /** The spans of `[from, to)`, in order. What is older than the oldest change kept counts as that change's origin. */
  spans(from: number, to: number): Span[] {
    const spans: Span[] = [];
    for (let index = this.#indexAt(from); index < this.#changes.length; index += 1) {
      const change = this.#changes[index];
      if (!change || (change.at >= to && index > 0)) break;
      const end = Math.min(this.#changes[index + 1]?.at ?? to, to);
      const start = Math.max(spans.length === 0 ? from : change.at, from);
      if (end > start) spans.push({ from: start, to: end, origin: change.origin });
    }
    return spans;
  }

  /** The last change at or before `cursor`. */
  #indexAt(cursor: number): number {
    let low = 0;
    let high = this.#changes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#changes[middle]?.at ?? 0) <= cursor) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
