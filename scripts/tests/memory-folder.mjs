/**
 * Keeps the folder of a test run in memory, where root may mount it: a run makes and removes some ten thousand files,
 * and a disk takes a tenth of the run for that.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";

const leastAvailable = 8 * 2 ** 30;
const name = "limpet-tests";

/** False if the folder stays on its disk. */
export function mountInMemory(folder) {
  const available = process.availableMemory();
  if (process.getuid() !== 0 || available < leastAvailable) return false;
  unmountLeftOver();
  // Only what is written takes memory. The long tests write gigabytes.
  const size = Math.floor(available / 3);
  const options = `mode=0711,size=${size}`;
  return spawnSync("mount", ["-t", "tmpfs", "-o", options, `${name}-${process.pid}`, folder]).status === 0;
}

/** Lazily, because a process that is about to end may still use the folder. False if it stays mounted. */
export function unmount(folder) {
  return spawnSync("umount", ["-l", folder]).status === 0;
}

/** Of runs that were killed. */
function unmountLeftOver() {
  for (const line of readFileSync("/proc/self/mounts", "utf8").split("\n")) {
    const [source = "", folder] = line.split(" ");
    const pid = source.startsWith(`${name}-`) ? source.slice(name.length + 1) : undefined;
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    if (unmount(folder)) rmSync(folder, { recursive: true, force: true });
  }
}
