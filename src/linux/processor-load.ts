import { availableParallelism, loadavg } from "node:os";

/** The load average of the last minute, per processor. */
export function processorLoad(): number {
  const [load = 0] = loadavg();
  return load / availableParallelism();
}

/** By how much the machine is overloaded: 1 if it is not, and at most `most`. */
export function slowness(most: number = Number.POSITIVE_INFINITY): number {
  return Math.min(most, Math.max(1, processorLoad()));
}
