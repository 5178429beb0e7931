/** The last of `entries`, which are in order, that begins at or before `cursor`; the first where none does. */
import type { Cursor } from "../base/cursor.ts";
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
