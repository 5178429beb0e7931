/**
 * Finds what a test run leaves behind: files, processes, terminals, cgroups, and changes in the user's home.
 *
 * A run has a random id. It is in the environment of everything the run starts (`LIMPET_TEST_RUN`) and in the name of
 * its temporary folder, so a program with a different environment can still be identified by its TMPDIR, HOME, working
 * directory or arguments. Only what belongs to a process of the run counts, so limpet can be used at the same time.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { changedPaths, ownHomes, readHomes } from "./home-changes.mjs";
import { mountInMemory, unmount } from "./memory-folder.mjs";
import { envAtHome } from "./own-home.mjs";
import { ancestry, describe, kill, list, listPids, read, readLink, readStat } from "./proc.mjs";

const maxNamed = 8;
// PID 1 of a container may reap orphans lazily.
const reapMs = 3_000;
const checkEveryMs = 100;
// On a machine so busy that one check takes a second, the time limit alone would allow too few.
const minChecks = 8;
// Often enough to see a cgroup while the process that created it is alive: the name contains its pid.
const noteEveryMs = 200;

/** Records the state before the run, and creates its folders: `tmp` and `home` for the programs, `dir` around them. */
export function startWatch({ homes = ownHomes() } = {}) {
  const id = randomBytes(4).toString("hex");
  // Short, because the path of a Unix socket is limited to 108 bytes.
  const dir = join(tmpdir(), `limpet-${id}`);
  const tmp = join(dir, "tmp");
  // Tests run programs as other users, who must reach folders below it.
  const mode = 0o711;
  mkdirSync(dir, { mode });
  const isMounted = mountInMemory(dir);
  mkdirSync(tmp, { mode });
  const cgroups = new Map(listCgroups().map((path) => [path, false]));
  const noting = setInterval(noteCgroups, noteEveryMs, cgroups, id).unref();
  return { id, dir, tmp, isMounted, cgroups, noting, homes, homesBefore: readHomes(homes) };
}

/** The environment for the programs to watch. */
export function watchedEnv(watch, extra = {}) {
  const { LIMPET_COUNTS: _, ...env } = process.env;
  const own = { LIMPET_TEST_RUN: watch.id, TMPDIR: watch.tmp };
  return { ...envAtHome(env, join(watch.dir, "home")), ...extra, ...own };
}

/** Prints each leftover to stderr, ends leftover processes, removes the folders. Returns a line for each leftover. */
export async function endWatch(watch) {
  clearInterval(watch.noting);
  const deadlineMs = Date.now() + reapMs;
  let found = findLeftovers(watch);
  for (let checks = 1; found.length > 0 && (checks < minChecks || Date.now() < deadlineMs); checks += 1) {
    await sleep(checkEveryMs);
    const before = new Set(found.map(({ name }) => name));
    // A process may have a new pid at the next check. Other new leftovers are temporary.
    found = findLeftovers(watch).filter(({ name, pid }) => pid !== undefined || before.has(name));
  }
  const lines = found.map(({ name, about }) => `LEFT BEHIND: ${name}${about}`);
  for (const line of lines) console.error(line);
  for (const { pid } of found) if (pid !== undefined) kill(pid);
  if (watch.isMounted && !unmount(watch.dir)) lines.push(`LEFT BEHIND: mount ${watch.dir}`);
  else rmSync(watch.dir, { recursive: true, force: true, maxRetries: 5 });
  return [...lines, ...describeHomeChanges(watch)];
}

/** Other programs of the user may also change the home, so this is a failure only in CI. */
function describeHomeChanges(watch) {
  const changed = changedPaths(watch.homesBefore, readHomes(watch.homes));
  const isAlone = process.env.CI === "true";
  const lines = changed.map(
    (path) => `${isAlone ? "LEFT BEHIND" : "changed during the run, by it or beside it"}: ${path}`,
  );
  for (const line of lines) console.error(line);
  return isAlone ? lines : [];
}

function findLeftovers(watch) {
  return [...findProcesses(watch.id), ...findPtys(watch.id), ...findCgroups(watch), ...findFiles(watch)];
}

function findProcesses(id) {
  const all = listPids().filter((pid) => pid !== process.pid && readStat(pid) !== undefined);
  const marked = new Set(all.filter((pid) => isOfRun(pid, id)));
  // A child may not have inherited anything that contains the id.
  return all
    .filter((pid) => ancestry(pid).some((each) => marked.has(each)))
    .map((pid) => ({ pid, name: `process ${describe([pid])}`, about: "" }));
}

function findPtys(id) {
  return [...ptyHolders()]
    .filter(([, pids]) => areOfRun(pids, id))
    .map(([index, pids]) => ({ name: `terminal /dev/pts/${index}`, about: `, held by ${describe(pids)}` }));
}

function findCgroups({ cgroups, id }) {
  noteCgroups(cgroups, id);
  return listCgroups()
    .filter((path) => cgroups.get(path))
    .map((path) => ({ name: `cgroup ${path}`, about: `, holding ${describe(cgroupMembers(path))}` }));
}

/**
 * Records whether each cgroup belongs to the run. One that is found only after its creator and members have ended does
 * not count.
 */
function noteCgroups(cgroups, id) {
  for (const path of listCgroups()) if (!cgroups.has(path)) cgroups.set(path, areOfRun(cgroupOwners(path), id));
}

function findFiles(watch) {
  return list(watch.tmp).map((name) => ({
    name: `file ${join(watch.tmp, name)}`,
    about: describeContent(watch, name),
  }));
}

/** The content of a folder shows which test created it. */
function describeContent({ tmp }, name) {
  const inside = list(join(tmp, name), { recursive: true }).slice(0, maxNamed);
  return inside.length === 0 ? "" : `, with ${inside.join(", ")}`;
}

function isOfRun(pid, id) {
  return ["environ", "cmdline"].some((name) => read(`/proc/${pid}/${name}`).includes(id)) || cwd(pid).includes(id);
}

/** Whether one of these processes, or one of its ancestors, belongs to the run. */
function areOfRun(pids, id) {
  return pids.some((pid) => ancestry(pid).some((each) => isOfRun(each, id)));
}

/** The processes that have the master open, by terminal index. In one pass, because there may be hundreds. */
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

/** The processes in the group and in all nested groups. */
function cgroupMembers(path) {
  const inside = list(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const own = read(`${path}/cgroup.procs`).split("\n").filter(Boolean).map(Number);
  return [...own, ...inside.flatMap(({ name }) => cgroupMembers(join(path, name)))];
}

/**
 * Its members, and its creator while that is alive: the name is `limpet1-<pid namespace>-<pid>-<start time>-<copy>`.
 */
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

function cwd(pid) {
  return readLink(`/proc/${pid}/cwd`);
}
