/** The process that started a client, by pid and start time: a pid alone may be reused. */
import { readProcess } from "../linux/processes/processes.ts";

/** Undefined if the process no longer exists. */
export function starterOf(pid: number): string | undefined {
  const entry = readProcess(pid);
  return entry && `${entry.pid}-${entry.startTime}`;
}

export function isStarterAlive(starter: string): boolean {
  return starterOf(Number.parseInt(starter, 10)) === starter;
}
