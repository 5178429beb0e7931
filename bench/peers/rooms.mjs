/**
 * A home of its own for one start of a contender. Everything that it starts carries the mark of the room in its
 * environment, so that the bench can count its memory and end what is left, by pid.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { envAtHome } from "../../scripts/tests/own-home.mjs";
import { ancestry, kill, listPids, read, readStat } from "../../scripts/tests/proc.mjs";

/** PID 1 of a container may reap orphans lazily. */
const REAP_MS = 3_000;
const LOOK_EVERY_MS = 50;
const END_MS = 15_000;

export function openRoom(watch) {
  const mark = randomBytes(6).toString("hex");
  const directory = join(watch.tmp, mark.slice(0, 6));
  const tmp = join(directory, "tmp");
  mkdirSync(tmp, { recursive: true, mode: 0o700 });
  const env = {
    ...envAtHome(process.env, join(directory, "home")),
    LIMPET_TEST_RUN: watch.id,
    LIMPET_PEER: mark,
    LIMPET_HOME: join(directory, "state"),
    TMPDIR: tmp,
    TMUX_TMPDIR: tmp,
    SHELL: "/bin/bash",
    TERM: "xterm-256color",
    PS1: "$ ",
  };
  return { mark, directory, env };
}

/** The processes of a room, with their children, whatever environment those have. */
function pidsOf({ mark, directory }) {
  const all = listPids().filter((pid) => pid !== process.pid && readStat(pid) !== undefined);
  const isOfRoom = (text) => text.includes(mark) || text.includes(directory);
  // A host of limpet has its own environment, but its directory is among its arguments.
  const marked = new Set(
    all.filter((pid) => ["environ", "cmdline"].some((name) => isOfRoom(read(`/proc/${pid}/${name}`)))),
  );
  return all.filter((pid) => ancestry(pid).some((each) => marked.has(each)));
}

/** The processes that have this word among their arguments. */
export function pidsWith(word) {
  return listPids().filter((pid) => readStat(pid) !== undefined && read(`/proc/${pid}/cmdline`).includes(word));
}

/** Bytes of memory that all processes of a room have of their own. */
export function residentBytes(room) {
  const ofOne = (pid) => Number(/^RssAnon:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
  return pidsOf(room).reduce((sum, pid) => sum + ofOne(pid), 0);
}

/** Ends every process of the room and removes its directory. */
export async function closeRoom(room) {
  await endAll(() => pidsOf(room));
  rmSync(room.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Gives up on processes that even SIGKILL does not end in time: the check for leftovers names them. */
export async function endAll(find) {
  const deadlineMs = Date.now() + END_MS;
  for (let found = find(); found.length > 0 && Date.now() < deadlineMs; found = find()) {
    for (const pid of found) kill(pid);
    await sleep(LOOK_EVERY_MS);
  }
}

/** What `find` returns once it is empty, or after the time that ended processes may take to disappear. */
export async function afterReaping(find, limitMs = REAP_MS) {
  const deadlineMs = Date.now() + limitMs;
  let found = find();
  while (found.length > 0 && Date.now() < deadlineMs) {
    await sleep(LOOK_EVERY_MS);
    found = find();
  }
  return found;
}
