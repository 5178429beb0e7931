import { type MarkedProcess, readMarkedProcess } from "./processes.ts";

/** A process and its visible ancestors, the process first. Empty if it does not exist. */
export function readLineage(pid: number): readonly MarkedProcess[] {
  const lineage: MarkedProcess[] = [];
  for (let next = pid; next > 1; ) {
    const entry = readMarkedProcess(next);
    if (!entry) break;
    lineage.push(entry);
    next = entry.parent;
  }
  return lineage;
}
