/**
 * Pure: what a sandbox may do with which path. The kernel only grants, and a grant for a directory covers everything
 * below it. So what must stay hidden is left out: its siblings are granted one by one, along the whole path to it.
 */
import { dirname, join } from "node:path";
import { type Grant, RIGHTS } from "../../linux/restrict/landlock.ts";
import type { FileRoots } from "../../transport/transport.ts";

const READ = RIGHTS.readFile | RIGHTS.readDirectory | RIGHTS.execute;
/** Everything but device files. */
const WRITE =
  READ |
  RIGHTS.writeFile |
  RIGHTS.truncate |
  RIGHTS.refer |
  RIGHTS.removeDirectory |
  RIGHTS.removeFile |
  RIGHTS.makeDirectory |
  RIGHTS.makeFile |
  RIGHTS.makeSocket |
  RIGHTS.makeFifo |
  RIGHTS.makeLink;
/** Read and write existing files, without creating or removing any. */
const FILL = READ | RIGHTS.writeFile;
const DEVICE = RIGHTS.readFile | RIGHTS.writeFile | RIGHTS.truncate | RIGHTS.deviceControl;

/** Harmless, and programs expect to use them. The terminal of a session is granted separately. */
const DEVICES = ["null", "zero", "full", "random", "urandom", "tty"].map((name) => join("/dev", name));

export interface GrantOptions {
  /** Real paths. Nothing below them can be read. */
  readonly hidden: readonly string[];
  /** Real paths. Everything below them can be changed. */
  readonly writable: readonly string[];
  /** What belongs to the sandbox itself: the terminals of its sessions, and where limpet leaves files for them. */
  readonly own: FileRoots & { readonly terminals: readonly string[] };
  /** What is shown instead of something hidden. */
  readonly empty?: readonly string[] | undefined;
  /** The names in a directory, without symbolic links. */
  readonly list: (directory: string) => readonly string[];
}

export interface GrantPlan {
  readonly grants: readonly Grant[];
  /** The directories that contain something hidden. If one of them gets a new entry, the plan is out of date. */
  readonly listed: readonly string[];
}

export function planGrants({ hidden, writable, own, empty = [], list }: GrantOptions): GrantPlan {
  const listed = ancestorsOf(hidden);
  const readable = [...listed].flatMap((directory) => [
    // Names only: this is also granted for what is hidden below.
    { path: directory, rights: RIGHTS.readDirectory },
    ...list(directory)
      .map((name) => join(directory, name))
      .filter((path) => !listed.has(path) && !hidden.includes(path))
      .map((path) => ({ path, rights: READ })),
  ]);
  return {
    grants: [
      ...(listed.size > 0 ? readable : [{ path: "/", rights: READ }]),
      ...writable.map((path) => ({ path, rights: WRITE })),
      ...[own.readable, ...empty].map((path) => ({ path, rights: READ })),
      { path: own.writable, rights: FILL },
      ...[...DEVICES, ...own.terminals].map((path) => ({ path, rights: DEVICE })),
    ],
    listed: [...listed],
  };
}

/** All directories above the paths. */
function ancestorsOf(paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const path of paths) {
    for (let at = dirname(path); !found.has(at); at = dirname(at)) found.add(at);
  }
  return found;
}
