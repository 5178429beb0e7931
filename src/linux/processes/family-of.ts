/** Finds the descendants of processes. */
import type { ProcessEntry } from "./processes.ts";

/** Pure: `ancestors` and all their descendants among `alive`, which may be in any order. */
export function familyOf(
  ancestors: Iterable<number>,
  alive: readonly Pick<ProcessEntry, "pid" | "parent">[],
): ReadonlySet<number> {
  const family = new Set(ancestors);
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const { pid, parent } of alive) if (family.has(parent)) family.add(pid);
  }
  return family;
}
