import { readFileSync } from "node:fs";

/** Processor time of this thread so far. That of the process would count the tests in the threads beside it. */
export function threadCpuMs(): number {
  const [nanoseconds] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}
