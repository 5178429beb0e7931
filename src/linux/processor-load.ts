import { availableParallelism, loadavg } from "node:os";

/** The load average of the last minute, per processor. */
export function processorLoad(): number {
  const [load = 0] = loadavg();
  return load / availableParallelism();
}
