/**
 * What a test run leaves behind: files, processes, terminals, cgroups, and changes in the home of whoever started it.
 *
 * A run has a random id. It is in the environment of everything the run starts (`LIMPET_TEST_RUN`) and in the name of
 * its temp folder, so a program that was given an environment of its own is still known by its TMPDIR, its HOME, its
 * working directory or its arguments. Only what belongs to a process of the run counts: limpet can be used beside it.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { changedPaths, lookAtHomes, ownHomes } from "./home-changes.mjs";
import { envAtHome } from "./own-home.mjs";
import { ancestry, describe, kill, list, listPids, read, readLink, readStat } from "./proc.mjs";

// PID 1 of a container may reap orphans lazily.
const reapMs = 3_000;
const lookEveryMs = 100;
// On a machine so busy that one look takes a second, the time alone would leave too few.
const leastLooks = 8;
// Often enough to see who makes a cgroup while its maker lives: the name says which process that is.
const noteEveryMs = 200;

/** Notes what is there before the run, and makes its folders: `tmp` and `home` for the programs, `dir` around them. */
export function startWatch({ homes = ownHomes() } = {}) {
  const id = randomBytes(4).toString("hex");
  // Short, because the path of a Unix socket holds 108 bytes.
  const dir = join(tmpdir(), `limpet-${id}`);
  const tmp = join(dir, "tmp");
  mkdirSync(tmp, { recursive: true, mode: 0o700 });
  const cgroups = new Map(listCgroups().map((path) => [path, false]));
  const noting = setInterval(noteCgroups, noteEveryMs, cgroups, id).unref();
  return { id, dir, tmp, cgroups, noting, homes, homesBefore: lookAtHomes(homes) };
}

/** The environment for what is to be watched. */
export function watchedEnv(watch, extra = {}) {
  const { LIMPET_COUNTS: _, ...env } = process.env;
  const own = { LIMPET_TEST_RUN: watch.id, TMPDIR: watch.tmp };
  return { ...envAtHome(env, join(watch.dir, "home")), ...extra, ...own };
}

/** Names each leftover on stderr, ends the processes among them, removes the folders; gives back how many there were. */
export async function endWatch(watch) {
  clearInterval(watch.noting);
  const deadlineMs = Date.now() + reapMs;
  let found = findLeftovers(watch);
  for (let looks = 1; found.length > 0 && (looks < leastLooks || Date.now() < deadlineMs); looks += 1) {
    await sleep(lookEveryMs);
    const before = new Set(found.map(({ name }) => name));
    // A process may take a new pid between two looks; whatever else is new has come and will go with one.
    found = findLeftovers(watch).filter(({ name, pid }) => pid !== undefined || before.has(name));
  }
  for (const { name, about } of found) console.error(`LEFT BEHIND: ${name}${about}`);
  for (const { pid } of found) if (pid !== undefined) kill(pid);
  rmSync(watch.dir, { recursive: true, force: true, maxRetries: 5 });
  return found.length + countHomeChanges(watch);
}

/** Whoever works beside the run changes their home, too: a failure only where nobody does. */
function countHomeChanges(watch) {
  const changed = changedPaths(watch.homesBefore, lookAtHomes(watch.homes));
  if (changed.length === 0) return 0;
  const isAlone = process.env.CI === "true";
  console.error(`${isAlone ? "LEFT BEHIND" : "changed during the run, by it or beside it"}: ${changed.join(", ")}`);
  return isAlone ? changed.length : 0;
}

function findLeftovers(watch) {
  return [...findProcesses(watch.id), ...findPtys(watch.id), ...findCgroups(watch), ...findFiles(watch)];
}

function findProcesses(id) {
  const all = listPids().filter((pid) => pid !== process.pid && readStat(pid) !== undefined);
  const marked = new Set(all.filter((pid) => isOfRun(pid, id)));
  // A child may have been given nothing that bears the id.
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

/** Keeps of each cgroup whether it is of the run. What is seen too late, when its maker and members are gone, is not. */
function noteCgroups(cgroups, id) {
  for (const path of listCgroups()) if (!cgroups.has(path)) cgroups.set(path, areOfRun(cgroupOwners(path), id));
}

function findFiles(watch) {
  return list(watch.tmp).map((name) => ({ name: `file ${join(watch.tmp, name)}`, about: "" }));
}

function isOfRun(pid, id) {
  return ["environ", "cmdline"].some((name) => read(`/proc/${pid}/${name}`).includes(id)) || cwd(pid).includes(id);
}

/** Whether one of these processes, or one that it descends from, is of the run. */
function areOfRun(pids, id) {
  return pids.some((pid) => ancestry(pid).some((each) => isOfRun(each, id)));
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

function cwd(pid) {
  return readLink(`/proc/${pid}/cwd`);
}
