/** Processor time of this thread, which other work on the machine does not affect. */
import { readFileSync } from "node:fs";

/** Processor time of this thread so far. That of the process would count the tests in the threads beside it. */
export function threadCpuMs(): number {
  const [nanoseconds] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

const FACTOR = 16;
/** Linear is 16, quadratic 256; memory that has to be cleaned up lies in between. */
const MOST_TIMES = 80;
/** The kernel counts in steps of up to four. */
const LEAST_MS = 2;
const ATTEMPTS = 3;

/** Whether sixteen times the input takes no more than about sixteen times the time. One good measurement is enough. */
export function isLinear(work: (size: number) => void, size: number): boolean {
  const cpuMs = (of: number) => {
    const startMs = threadCpuMs();
    work(of);
    return threadCpuMs() - startMs;
  };
  const measure = () => {
    const most = MOST_TIMES * Math.max(cpuMs(size), LEAST_MS);
    return cpuMs(FACTOR * size) < most;
  };
  return Array.from({ length: ATTEMPTS }).some(measure);
}
