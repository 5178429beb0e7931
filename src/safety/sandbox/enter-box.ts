/** The boxes of this process, one for each kind of sandbox. A box that is used up or out of date is replaced. */
import { closeSync, readdirSync } from "node:fs";
import { landlockVersion } from "../../linux/restrict/landlock.ts";
import { filterProgram, thisProcessor } from "../../linux/restrict/syscall-filter.ts";
import { Box } from "./box.ts";
import type { Place } from "./box-options.ts";
import { Namespaces } from "./namespaces/namespaces.ts";
import { answerConnects } from "./network/answer-connects.ts";
import { requireConnects } from "./network/require-connects.ts";
import { proxyPort } from "./network/use-proxy.ts";
import { planGrants } from "./plan-grants.ts";
import { refusedCalls } from "./refused-calls.ts";
import { requireLandlock } from "./require-landlock.ts";
import { changedAt, type ResolvedSandbox } from "./resolve-sandbox.ts";
import { workerFile } from "./worker-file.ts";

/** How many programs the first box of a kind can start, and a later one at most: many sessions get larger boxes. */
const FIRST_SIZE = 8;
const MAX_SIZE = 64;
/** The largest boxes are used up fast, so the next one is made when this many places are left. */
const AHEAD = 16;
/** A box that has started nothing for this long gives its thread and its terminals back. */
const IDLE_MS = 60_000;

/** What a box is made for. */
interface Needs {
  readonly sandbox: ResolvedSandbox;
  /** The port of the proxy that programs may connect to, and to nothing else; undefined: no proxy is needed. */
  readonly proxy: number | undefined;
  readonly namespaces: Namespaces | undefined;
}

interface Kept {
  readonly box: Box;
  readonly namespaces: Namespaces | undefined;
  readonly size: number;
  /** Changes when a directory beside something hidden gets a new entry, which the box does not know. */
  readonly stamp: string;
  readonly listed: readonly string[];
}

const kept = new Map<string, Kept>();
/** Boxes that are made in advance, by the same key. */
const ahead = new Map<string, Kept>();
const idle = new Map<string, NodeJS.Timeout>();
/** Namespaces, by the same key. */
const made = new Map<string, Promise<Namespaces>>();

/** Room for a program in a box. Rejects if this machine has no sandbox: nothing ever runs without it. */
export async function enterBox(sandbox: ResolvedSandbox): Promise<{ readonly box: Box; readonly place: Place }> {
  requireLandlock(landlockVersion(), sandbox);
  const hasHosts = typeof sandbox.network !== "string";
  if (hasHosts) requireConnects();
  const proxy = hasHosts ? await proxyPort() : undefined;
  // The key includes the allowed hosts, because programs of one box can use each other's passwords.
  const { changed: _changed, ...kind } = sandbox;
  const key = JSON.stringify(kind);
  let namespaces = sandbox.keeper === "bwrap" ? await namespacesOf(key, sandbox) : undefined;
  // The last box of those that were found may have gone in the meantime.
  while (namespaces?.isOver) namespaces = await namespacesOf(key, sandbox);
  const needs = { sandbox, proxy, namespaces };
  const found = current(key, needs);
  const { box } = found;
  const place = box.enter();
  lookAhead(key, needs, found);
  try {
    await box.ready;
    return { box, place };
  } catch (error) {
    for (const fd of [place.pty.master, place.pty.slave]) closeSync(fd);
    place.leave();
    drop(key);
    throw error;
  }
}

/** Those of the sandbox, shared by all its boxes, so that their programs reach each other on the loopback address. */
async function namespacesOf(key: string, sandbox: ResolvedSandbox): Promise<Namespaces> {
  let known: Promise<Namespaces> | undefined;
  do {
    known = made.get(key);
    const found = await known?.catch(() => undefined);
    if (found?.isUpToDate(sandbox)) return found;
    // Another caller may have made them in the meantime.
  } while (made.get(key) !== known);
  const making = Namespaces.make(sandbox, () => {
    if (made.get(key) === making) made.delete(key);
  });
  made.set(key, making);
  return await making;
}

/** The box with room that is up to date. Makes it if there is none. */
function current(key: string, needs: Needs): Kept {
  clearTimeout(idle.get(key));
  idle.set(key, setTimeout(() => drop(key), IDLE_MS).unref());
  const [found, following] = [kept.get(key), ahead.get(key)];
  if (found && isUsable(found, needs)) return found;
  // A box that is only out of date says nothing about how many programs will come.
  const size = found?.box.room === 0 ? sizeAfter(found) : (found?.size ?? FIRST_SIZE);
  const next = following && isUsable(following, needs) ? following : make(needs, size);
  kept.set(key, next);
  ahead.delete(key);
  // Afterwards, because namespaces end with their last box.
  for (const old of [found, following]) if (old !== next) old?.box.retire();
  return next;
}

function isUsable({ box, namespaces, stamp, listed }: Kept, needs: Needs): boolean {
  return box.room > 0 && namespaces === needs.namespaces && stamp === stampOf(listed, needs.sandbox);
}

function sizeAfter({ size }: Kept): number {
  return Math.min(MAX_SIZE, 2 * size);
}

/** Makes the next box before it is needed, so that no program waits for it. */
function lookAhead(key: string, needs: Needs, found: Kept): void {
  const { box, size } = found;
  const isDue = box.room === 0 || (size === MAX_SIZE && box.room <= AHEAD);
  if (!isDue || ahead.has(key)) return;
  setImmediate(() => {
    if (kept.get(key) !== found || ahead.has(key) || needs.namespaces?.isOver) return;
    try {
      ahead.set(key, make(needs, sizeAfter(found)));
    } catch {
      // Terminals may be used up, for example. If that lasts, the next program reports it.
    }
  });
}

function drop(key: string): void {
  clearTimeout(idle.get(key));
  idle.delete(key);
  for (const boxes of [kept, ahead]) {
    boxes.get(key)?.box.retire();
    boxes.delete(key);
  }
}

/** Gives back what is kept for later programs. Programs that run are not affected. */
export function endBoxes(): void {
  for (const key of [...kept.keys()]) drop(key);
}

function make({ sandbox, proxy, namespaces }: Needs, size: number): Kept {
  const { hidden, writable, network } = sandbox;
  const isEntering = namespaces !== undefined;
  let listed: readonly string[] = [];
  const box = new Box({
    size,
    worker: workerFile("sandbox-worker"),
    filter: filterProgram(refusedCalls({ arch: process.arch, network, isEntering }), thisProcessor()),
    namespaces,
    restriction: (own) => {
      const empty = namespaces?.empty;
      const plan = planGrants({ hidden, writable: [...writable, own.temporary], own, empty, list });
      listed = plan.listed;
      // None: another thread connects to the proxy for them.
      return { grants: plan.grants, ports: proxy === undefined ? undefined : [] };
    },
    onListener: proxy === undefined ? undefined : (listener) => answerConnects({ listener, proxyPort: proxy }),
  });
  return { box, size, namespaces, listed, stamp: stampOf(listed, sandbox) };
}

/** Without symbolic links: access to what they lead to depends on its real path. */
function list(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function stampOf(directories: readonly string[], { changed }: ResolvedSandbox): string {
  return directories.map((path) => (changed.has(path) ? changed.get(path) : changedAt(path))).join();
}
