/**
 * The directory of a host: its socket, its lock, its log, the journals of its sessions. Only its owner may look into it.
 *
 * It is checked and used through one descriptor, so that nobody can put another one in its place in between; and a path of
 * `/proc/self/fd` to the socket is short, however long that of the directory is: the kernel allows 107 bytes.
 */
import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from "node:fs";
import { join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { makeDirectorySync } from "../../base/make-directory.ts";

const SOCKET_NAME = "host.sock";
const OTHERS = 0o077;

export interface StateDirectory {
  /** As it was given. */
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
  /** A short path to the socket; good until `release`. */
  readonly socketPath: string;
  release(): void;
}

/** Makes it if need be. Refuses one that others can look into, or that somebody else made. */
export function openStateDirectory(path: string): StateDirectory {
  requireNoLink(path);
  make(path);
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
    throw unsafe(path, `cannot be made (${code})`, "Give a place that you may write to as LIMPET_HOME.", cause);
  }
}

function openDirectory(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOTDIR") throw unsafe(path, "is no directory", "Move it away, or give another LIMPET_HOME.", cause);
    throw unsafe(path, `cannot be opened (${code})`, "Give another LIMPET_HOME.", cause);
  }
}

function requireNoLink(path: string): void {
  if (statOf(path)?.isSymbolicLink() !== true) return;
  throw unsafe(path, "is a symbolic link", "Give the directory itself as LIMPET_HOME.");
}

function requireOwn(path: string, { uid, mode }: Stats, what: string): void {
  if (uid !== process.geteuid?.()) {
    throw unsafe(path, `belongs to user ${uid}`, `Give a ${what} of your own.`);
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

/** Undefined where there is nothing, or nothing that we may look at: using it tells what is wrong. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** What `work` does with a file in it; a disk that does not let us is told with what to do. */
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
  if (code === "ENOSPC" || code === "EDQUOT") return "Make room on its disk, or give another LIMPET_HOME.";
  if (code === "ELOOP" || code === "EISDIR") return "Remove what lies there.";
  if (code === "EMFILE" || code === "ENFILE") return "Close some files, then try again.";
  return "Give a place that you may write to as LIMPET_HOME.";
}

function unsafe(path: string, what: string, remedy: string, cause?: unknown): LimpetError {
  return new LimpetError("DIRECTORY_UNSAFE", `${path} ${what}. ${remedy}`, cause === undefined ? {} : { cause });
}
