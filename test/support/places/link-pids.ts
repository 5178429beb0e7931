/** The commands of links that a process has started: children of it that run the bootstrap, or are ssh. */
import { readFileSync } from "node:fs";
import { childrenOf } from "./children-of.ts";

export function linkPids(parent: number = process.pid): readonly number[] {
  return childrenOf(parent).filter((pid) => {
    try {
      return /limpet-\$m|require\0$/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    } catch {
      return false;
    }
  });
}
