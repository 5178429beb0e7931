/** Pure: some processes, and all that descends from them. */
import type { ProcessEntry } from "./processes.ts";

/** `alive`: in any order; whose parent is not among them descends from nobody. */
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
