/** Pure: decides which end mark is the shell's own, once the shell waits at the gate behind it. */
import type { Cursor } from "../../base/cursor.ts";
import type { EndMark } from "./mark.ts";

/** An end mark in the output, and where it is. Undefined: a malformed one. */
export interface SeenEnd {
  readonly end: EndMark | undefined;
  readonly at: Cursor;
}

/**
 * The end. `lost`: the terminal discarded the mark, as it does on Ctrl+C. `forged`: the shell has printed one mark, and
 * someone else another.
 */
export type EndVerdict = { readonly end: EndMark; readonly at: Cursor } | "lost" | "forged";

export function decideEnd(seen: readonly SeenEnd[]): EndVerdict {
  const last = seen.at(-1);
  if (!last) return "lost";
  const { end, at } = last;
  return end && seen.every((each) => isEqual(each.end, end)) ? { end, at } : "forged";
}

function isEqual(one: EndMark | undefined, other: EndMark | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
