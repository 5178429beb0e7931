/** Ends hosts that a test has left. */
import { readProcess } from "../../../src/linux/processes/processes.ts";
import { pidsWith } from "../processes.ts";
import { until } from "../sessions.ts";

/** Ends the hosts whose state is below this directory, such as those of containers. */
export async function endHostsBelow(directory: string): Promise<void> {
  const all = new Set(pidsWith("\0host\0run\0"));
  const hosts = pidsWith(`\0--state\0${directory}/`).filter((pid) => all.has(pid));
  for (const pid of hosts) endProcess(pid);
  await until(() => hosts.every(hasEnded), "the hosts below a directory are gone");
}

/** Its files are closed, and its locks released. A command line is gone earlier. */
function hasEnded(pid: number): boolean {
  return (readProcess(pid)?.state ?? "Z") === "Z";
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
