/**
 * What a test run leaves behind: files, processes, terminals, cgroups.
 *
 * A run has a random id. It is in the environment of everything the run starts (`LIMPET_TEST_RUN`) and in the name of
 * its temp folder, so a program that was given an environment of its own is still known by its TMPDIR, its working
 * directory or its arguments. Terminals and cgroups bear no id: a new one counts unless it belongs to something that
 * is not of this run, such as a second run beside it or a person's new terminal window.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ancestry, describe, kill, list, listPids, read, readLink, readStat } from "./proc.mjs";

// PID 1 of a container may reap orphans lazily.
const reapMs = 3_000;
const lookEveryMs = 100;
// On a machine so busy that one look takes a second, the time alone would leave too few.
const leastLooks = 8;

/** Notes what is there before the run, and makes its folders: `tmp` for the programs, `dir` around it for us. */
export function startWatch() {
  const id = randomBytes(4).toString("hex");
  // Short, because the path of a Unix socket holds 108 bytes.
  const dir = join(tmpdir(), `limpet-${id}`);
  const tmp = join(dir, "tmp");
  mkdirSync(tmp, { recursive: true, mode: 0o700 });
  return { id, dir, tmp, ptys: new Set(listPtys()), cgroups: new Set(listCgroups()) };
}

/** The environment for what is to be watched. */
export function watchedEnv(watch, extra = {}) {
  const { LIMPET_COUNTS: _, ...env } = process.env;
  return { ...env, ...extra, LIMPET_TEST_RUN: watch.id, TMPDIR: watch.tmp };
}

/** Names each leftover on stderr, ends the processes among them, removes the folders; gives back how many there were. */
export async function endWatch(watch) {
  const deadlineMs = Date.now() + reapMs;
  let found = findLeftovers(watch);
  for (let looks = 1; found.length > 0 && (looks < leastLooks || Date.now() < deadlineMs); looks += 1) {
    await sleep(lookEveryMs);
    const before = new Set(found.map(({ name }) => name));
    // A terminal of somebody else can go between our seeing it and our asking who holds it: only one that was there
    // at every look is ours. A process bears our id, and may take a new pid between two looks.
    found = findLeftovers(watch).filter(({ name, pid }) => pid !== undefined || before.has(name));
  }
  for (const { name, about } of found) console.error(`LEFT BEHIND: ${name}${about}`);
  for (const { pid } of found) if (pid !== undefined) kill(pid);
  rmSync(watch.dir, { recursive: true, force: true, maxRetries: 5 });
  return found.length;
}

function findLeftovers(watch) {
  return [...findProcesses(watch.id), ...findPtys(watch), ...findCgroups(watch), ...findFiles(watch)];
}

function findProcesses(id) {
  const all = listPids().filter((pid) => pid !== process.pid && readStat(pid) !== undefined);
  const marked = new Set(all.filter((pid) => isOfRun(pid, id)));
  // A child may have been given nothing that bears the id.
  return all
    .filter((pid) => ancestry(pid).some((each) => marked.has(each)))
    .map((pid) => ({ pid, name: `process ${describe([pid])}`, about: "" }));
}

function findPtys(watch) {
  const added = listPtys().filter((index) => !watch.ptys.has(index));
  if (added.length === 0) return [];
  const holders = ptyHolders();
  const still = new Set(listPtys());
  return added
    .filter((index) => still.has(index) && !isForeign(holders.get(index) ?? [], watch.id))
    .map((index) => ({
      name: `terminal /dev/pts/${index}`,
      about: `, held by ${describe(holders.get(index) ?? [])}`,
    }));
}

function findCgroups(watch) {
  return listCgroups()
    .filter((path) => !watch.cgroups.has(path) && !isForeign(cgroupOwners(path), watch.id))
    .map((path) => ({ name: `cgroup ${path}`, about: `, holding ${describe(cgroupMembers(path))}` }));
}

function findFiles(watch) {
  return list(watch.tmp).map((name) => ({ name: `file ${join(watch.tmp, name)}`, about: "" }));
}

function isOfRun(pid, id) {
  return ["environ", "cmdline"].some((name) => read(`/proc/${pid}/${name}`).includes(id)) || cwd(pid).includes(id);
}

/** True where these processes are all known to be none of ours. */
function isForeign(pids, id) {
  return pids.length > 0 && pids.every((pid) => isForeignProcess(pid, id));
}

function isForeignProcess(pid, id) {
  if (isOfRun(pid, id)) return false;
  const mark = /(?:^|\0)LIMPET_TEST_RUN=([^\0]*)/.exec(read(`/proc/${pid}/environ`));
  if (mark && mark[1] !== id) return true;
  // Ours were all started after this script, and what they descended from is gone; except for our own ancestors,
  // one of which may have adopted them.
  const own = new Set(ancestry(process.pid));
  const startedAt = readStat(process.pid).startedAt;
  return ancestry(pid).some((each) => !own.has(each) && readStat(each)?.startedAt < startedAt);
}

/** Who has the master side open, by the index of the terminal. All in one go: there may be hundreds. */
function ptyHolders() {
  const holders = new Map();
  for (const pid of listPids()) {
    for (const fd of list(`/proc/${pid}/fd`)) {
      if (!readLink(`/proc/${pid}/fd/${fd}`).endsWith("/ptmx")) continue;
      const index = /^tty-index:\s*(\d+)$/m.exec(read(`/proc/${pid}/fdinfo/${fd}`))?.[1];
      if (index !== undefined) holders.set(index, [...new Set([...(holders.get(index) ?? []), pid])]);
    }
  }
  return holders;
}

/** The processes in it and in the groups inside it. */
function cgroupMembers(path) {
  const inside = list(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const own = read(`${path}/cgroup.procs`).split("\n").filter(Boolean).map(Number);
  return [...own, ...inside.flatMap(({ name }) => cgroupMembers(join(path, name)))];
}

/** Its members, and its maker while that lives: the name is `limpet1-<pid namespace>-<pid>-<start time>-<copy>`. */
function cgroupOwners(path) {
  const [, pid, startedAt] = /\/limpet\d*-\d+-(\d+)-(\d+)[^/]*$/.exec(path) ?? [];
  const maker = readStat(pid)?.startedAt === Number(startedAt) ? [Number(pid)] : [];
  return [...maker, ...cgroupMembers(path)];
}

function listCgroups() {
  const own = /^0::(.*)$/m.exec(read("/proc/self/cgroup"))?.[1] ?? "/";
  const mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
  const parents = new Set(mounts.flatMap((mount) => [mount, join(mount, own).replace(/\/$/, "")]));
  return [...parents].flatMap((parent) =>
    list(parent)
      .filter((name) => name.startsWith("limpet"))
      .map((name) => join(parent, name)),
  );
}

function listPtys() {
  return list("/dev/pts").filter((name) => /^\d+$/.test(name));
}

function cwd(pid) {
  return readLink(`/proc/${pid}/cwd`);
}
