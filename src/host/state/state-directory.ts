/**
 * The directory of a host: its socket, lock, log and the journals of its sessions. Only its owner may read it.
 *
 * limpet checks and uses the directory through one descriptor, so that nobody can replace it in between. The path of
 * the socket under `/proc/self/fd` is always short, which matters because the kernel allows only 107 bytes.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { makeDirectorySync } from "../../base/make-directory.ts";

const SOCKET_NAME = "host.sock";
const OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
/** In such a directory only the owner of a file can replace it. */
const STICKY = 0o1000;
/** What the kernel shows, in a user namespace, for users that do not exist there: the root of a container has it. */
const UNMAPPED_USER = 65_534;

export interface StateDirectory {
  /** The path that was passed. */
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
  /** A short path to the socket, valid until `release`. */
  readonly socketPath: string;
  release(): void;
}

/**
 * Creates the directory if needed. Refuses one that other users can read, that belongs to another user, or that another
 * user can replace.
 */
export function openStateDirectory(path: string): StateDirectory {
  requireNoLink(path);
  make(path);
  return openChecked(path);
}

/** The same without creating it: undefined if it does not exist. */
export function findStateDirectory(path: string): StateDirectory | undefined {
  requireNoLink(path);
  return statOf(path) === undefined ? undefined : openChecked(path);
}

function openChecked(path: string): StateDirectory {
  requireOwnParents(path);
  const fd = openDirectory(path);
  try {
    requireOwn(path, fstatSync(fd), "directory");
    requireOwnSocket(path, `/proc/self/fd/${fd}/${SOCKET_NAME}`);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return {
    path,
    file: (name) => join(path, name),
    socketPath: `/proc/self/fd/${fd}/${SOCKET_NAME}`,
    release: () => closeSync(fd),
  };
}

function make(path: string): void {
  try {
    if (makeDirectorySync(path, 0o700)) chmodSync(path, 0o700);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw unsafe(path, `cannot be created (${code})`, "Set LIMPET_HOME to a directory that you can write to.", cause);
  }
}

function openDirectory(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOTDIR")
      throw unsafe(path, "is not a directory", "Move it away, or set another LIMPET_HOME.", cause);
    throw unsafe(path, `cannot be opened (${code})`, "Set another LIMPET_HOME.", cause);
  }
}

function requireNoLink(path: string): void {
  if (statOf(path)?.isSymbolicLink() !== true) return;
  throw unsafe(path, "is a symbolic link", "Set LIMPET_HOME to the directory itself.");
}

/** Whoever owns a parent, or may write to it, can put another directory in our place. */
function requireOwnParents(path: string): void {
  for (let child = realpathSync(path); dirname(child) !== child; child = dirname(child)) {
    const parent = dirname(child);
    const problem = parentProblem(statSync(parent));
    if (problem !== undefined) throw unsafe(path, `is inside ${parent}, which ${problem}`, "Set another LIMPET_HOME.");
  }
}

/** Pure. Undefined if the parent is safe: a directory of root or our own, and writable for others only like /tmp. */
export function parentProblem(
  { uid, mode }: Pick<Stats, "uid" | "mode">,
  euid: number | undefined = process.geteuid?.(),
): string | undefined {
  if (uid !== 0 && uid !== euid && uid !== UNMAPPED_USER) return `belongs to user ${uid}`;
  const isOpen = (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;
  return isOpen ? "every user can write to" : undefined;
}

function requireOwn(path: string, { uid, mode }: Stats, what: string): void {
  if (uid !== process.geteuid?.()) {
    throw unsafe(path, `belongs to user ${uid}`, `Use a ${what} that belongs to you.`);
  }
  if ((mode & OTHERS) === 0) return;
  const octal = (mode & 0o777).toString(8).padStart(4, "0");
  throw unsafe(path, `is open to others (mode ${octal})`, `Close it with: chmod go-rwx '${path}'.`);
}

function requireOwnSocket(directory: string, path: string): void {
  const stats = statOf(path);
  if (!stats) return;
  const shown = join(directory, SOCKET_NAME);
  if (!stats.isSocket()) throw unsafe(shown, "is not the socket of a host", "Remove it.");
  requireOwn(shown, stats, "socket");
}

/** Undefined if the file does not exist or cannot be read. Opening it then reports the error. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Runs `work`, which uses a file in the directory. Converts an error of the disk to a `LimpetError` with a remedy. */
export function inState<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof LimpetError || code === undefined) throw cause;
    throw unsafe(path, `cannot be written to (${code})`, remedyFor(code), cause);
  }
}

function remedyFor(code: string): string {
  if (code === "ENOSPC" || code === "EDQUOT") return "Free space on its disk, or set another LIMPET_HOME.";
  if (code === "ELOOP" || code === "EISDIR") return "Remove it.";
  if (code === "EMFILE" || code === "ENFILE") return "Close some files, then try again.";
  return "Set LIMPET_HOME to a directory that you can write to.";
}

function unsafe(path: string, what: string, remedy: string, cause?: unknown): LimpetError {
  return new LimpetError("DIRECTORY_UNSAFE", `${path} ${what}. ${remedy}`, cause === undefined ? {} : { cause });
}
