/**
 * The stream that each part of the journal came from, as a list of changes: one entry for a terminal, one per switch
 * for pipes.
 */
import type { Cursor } from "../base/cursor.ts";
import { MAX_ORIGIN_CHANGES } from "../base/limits.ts";
import type { Origin } from "../transport/transport.ts";

/** A part of the journal from one stream: `from` inclusive, `to` exclusive, both cursors. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly origin: Origin;
}

export class Origins {
  readonly #changes: { readonly cursor: number; readonly origin: Origin }[] = [];

  note(cursor: number, origin: Origin): void {
    if (this.#changes.at(-1)?.origin === origin) return;
    this.#changes.push({ cursor, origin });
    // Dropping half at once keeps the cost low.
    if (this.#changes.length > MAX_ORIGIN_CHANGES) this.#changes.splice(0, MAX_ORIGIN_CHANGES / 2);
  }

  /**
   * The spans of `[from, to)`, in order. Anything before the oldest kept change is assigned to that change's origin.
   */
  spans(from: number, to: number): Span[] {
    const spans: Span[] = [];
    for (let index = indexAt(this.#changes, from); index < this.#changes.length; index += 1) {
      const change = this.#changes[index];
      if (!change || (change.cursor >= to && index > 0)) break;
      const end = Math.min(this.#changes[index + 1]?.cursor ?? to, to);
      const start = Math.max(spans.length === 0 ? from : change.cursor, from);
      if (end > start) spans.push({ from: start, to: end, origin: change.origin });
    }
    return spans;
  }
}

/** The index of the last of the sorted `entries` that starts at or before `cursor`; 0 if there is none. */
export function indexAt(entries: readonly { readonly cursor: Cursor }[], cursor: Cursor): number {
  let low = 0;
  let high = entries.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((entries[middle]?.cursor ?? 0) <= cursor) low = middle;
    else high = middle - 1;
  }
  return low;
}
