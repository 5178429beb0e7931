import { lotteryOf } from "./lottery-of.ts";

/**
 * Draws up to `count` different items; always the same ones for the same text and list. The time depends only on
 * `count`. Pure.
 */
export function draw<Item>(from: readonly Item[], { count, text }: DrawOptions): readonly Item[] {
  const next = lotteryOf(text);
  // A Fisher-Yates shuffle of only the first places. The map holds only the items that were moved.
  const moved = new Map<number, number>();
  const drawn: Item[] = [];
  for (let place = 0; place < Math.min(count, from.length); place += 1) {
    const chosen = place + next(from.length - place);
    const item = from[moved.get(chosen) ?? chosen];
    moved.set(chosen, moved.get(place) ?? place);
    if (item !== undefined) drawn.push(item);
  }
  return drawn;
}

interface DrawOptions {
  readonly count: number;
  /** Decides what is drawn: the id of the request. */
  readonly text: string;
}
