/** Ends and removes what an engine has left: processes that name its folder, mounts in it, and its control groups. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 10_000;
const PAUSE_MS = 50;
const CGROUPS = "/sys/fs/cgroup";

/** `group`: the name of the parent of its control groups. */
export async function removeTraces(folder, group) {
  const endMs = Date.now() + PATIENCE_MS;
  for (let pids = pidsOf(folder); pids.length > 0 && Date.now() < endMs; pids = pidsOf(folder)) {
    for (const pid of pids) kill(pid);
    await sleep(PAUSE_MS);
  }
  for (const mount of mountsIn(folder)) execFileSync("umount", ["-l", mount], { stdio: "ignore" });
  if (group === undefined) return;
  for (const root of [CGROUPS, ...list(CGROUPS).map((name) => join(CGROUPS, name))]) removeGroup(join(root, group));
}

/** Those with the folder in their arguments: containerd, its shims, conmon. */
function pidsOf(folder) {
  return list("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes(`${folder}/`))
    .map(Number);
}

/** The innermost first. */
function mountsIn(folder) {
  const paths = read("/proc/self/mounts").split("\n");
  return paths
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path.startsWith(`${folder}/`))
    .reverse();
}

function removeGroup(path) {
  for (const name of list(path)) removeGroup(join(path, name));
  try {
    rmdirSync(path);
  } catch {
    // A file in it, or it is not there.
  }
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function list(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
