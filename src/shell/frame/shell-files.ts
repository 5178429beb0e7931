/**
 * The files through which a shell gets its commands, in a directory that only this user can enter: the text of a
 * command, the text that reports its end, and three gates. A gate is a named pipe that the shell opens for reading
 * where it must wait for limpet. The kernel shows who waits there.
 *
 * Both texts stay open here: truncating a file by its name makes some file systems write it to the disk at once. The
 * lock on the second one, which is never replaced, tells other processes that the directory is in use. It is held
 * before the directory has its name, so a directory that is not locked belongs to a process that was killed.
 */
import {
  chownSync,
  closeSync,
  constants,
  ftruncateSync,
  mkdtempSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { endWithProcess, forget } from "../../linux/end-with-process.ts";
import { libc } from "../../linux/libc.ts";
import { makeFifo } from "../../linux/make-fifo.ts";
import type { FileRoots } from "../../transport/transport.ts";
import {
  GATE_NAMES,
  type Gate,
  NEW_COMMAND_NAME,
  NEW_SHELL_FILES_PREFIX,
  pathsIn,
  removeShellFiles,
  SHELL_FILES_PREFIX,
  type ShellPaths,
  TEXT_NAMES,
} from "./shell-paths.ts";

type SeenBy = Pick<FileRoots, "seenAs" | "owner">;

interface Opened {
  readonly directory: string;
  /** Changes when a file in it is created, renamed or deleted. */
  readonly changedMs: number;
  /** As the shell names them, and as this process does. */
  readonly paths: ShellPaths;
  readonly own: ShellPaths;
  readonly command: number;
  readonly end: number;
}

const SAFE_PATH = /^\/[\w./-]*$/;
const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
const LOCK_EX = 2;
/** A full or read-only disk must not make a shell unusable: the command may be the one that frees space. */
export const shellFileRoots = (): string[] => [...new Set([tmpdir(), "/tmp", "/dev/shm"])].filter(isSafe);

function isSafe(path: string): boolean {
  return SAFE_PATH.test(path);
}

export class ShellFiles {
  readonly #roots: () => string[];
  /** The path of the root as the shell sees it, if that differs. */
  readonly #seenBy: SeenBy | undefined;
  #opened: Opened | undefined;
  #isClosed = false;

  /** `roots`: the only directory whose files the shell can read. Default: any. Throws `RESOURCE_EXHAUSTED`. */
  constructor(roots?: FileRoots) {
    const only = roots && isSafe(roots.readable) ? roots : undefined;
    this.#roots = only ? () => [only.readable] : shellFileRoots;
    this.#seenBy = only;
    this.#opened = openAny(this.#roots(), this.#seenBy);
    endWithProcess(this);
  }

  /** Undefined once they are closed, or could not be written. */
  get paths(): ShellPaths | undefined {
    return this.#opened?.paths;
  }

  /**
   * Writes both texts, which are bytes, one character each. Creates the files again if someone has deleted them.
   * Throws `RESOURCE_EXHAUSTED`.
   */
  write(compose: (paths: ShellPaths) => { readonly command: string; readonly end: string }): void {
    if (this.#isClosed) return;
    const left = this.#roots();
    for (;;) {
      if (!this.#opened || !isIntact(this.#opened)) this.#reopen(left);
      try {
        if (this.#opened) writeTexts(this.#opened, compose(this.#opened.paths));
        return;
      } catch {
        // The disk is full, for example: the next directory may be on another one.
        this.#remove();
      }
    }
  }

  /** Call when the command was read and has run: a shell that reads it once more gets an empty text. */
  clear(): void {
    if (this.#opened) ftruncateSync(this.#opened.command, 0);
  }

  /**
   * The same for a command that the shell may be reading now. The shell gets all of it or nothing, because a file that
   * it has opened does not change.
   */
  revoke(): void {
    if (!this.#opened) return;
    const { directory, own } = this.#opened;
    try {
      const empty = join(directory, NEW_COMMAND_NAME);
      closeSync(openSync(empty, CREATE, 0o600));
      renameSync(empty, own.command);
    } catch {
      removeShellFiles(directory);
    }
  }

  /** Lets the shell that waits at the gate continue. The shell reads `text` there. */
  openGate(which: Gate, text = ""): void {
    try {
      const gate = openSync(this.#opened?.own[which] ?? "", constants.O_WRONLY | constants.O_NONBLOCK);
      try {
        writeSync(gate, text);
      } finally {
        closeSync(gate);
      }
    } catch {
      // A signal has ended its wait, or the file was deleted: then the shell has continued by itself.
    }
  }

  close(): void {
    this.#isClosed = true;
    forget(this);
    this.#remove();
  }

  /** Called when this process ends. */
  killNow(): void {
    this.#remove();
  }

  #reopen(left: string[]): void {
    this.#remove();
    this.#opened = openAny(left, this.#seenBy);
  }

  #remove(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    if (!opened) return;
    closeSync(opened.command);
    closeSync(opened.end);
    removeShellFiles(opened.directory);
  }
}

/** Removes the tried roots from `left`. */
function openAny(left: string[], seenBy: SeenBy | undefined): Opened {
  let cause: unknown;
  for (let root = left.shift(); root !== undefined; root = left.shift()) {
    try {
      return openIn(root, seenBy);
    } catch (error) {
      cause = error;
    }
  }
  throw new LimpetError(
    "RESOURCE_EXHAUSTED",
    `The files through which a shell gets its commands could not be written in ${tmpdir()}. Free space there, or set TMPDIR to another directory.`,
    { cause },
  );
}

function openIn(root: string, { seenAs = root, owner }: SeenBy = {}): Opened {
  const made = mkdtempSync(join(root, NEW_SHELL_FILES_PREFIX));
  const directory = join(root, `${SHELL_FILES_PREFIX}${made.slice(join(root, NEW_SHELL_FILES_PREFIX).length)}`);
  const files: number[] = [];
  try {
    for (const name of TEXT_NAMES) files.push(openSync(join(made, name), CREATE, 0o600));
    for (const name of GATE_NAMES) makeFifo(join(made, name));
    if (owner) giveTo(owner, made);
    const [command = -1, end = -1] = files;
    libc.flock(end, LOCK_EX);
    renameSync(made, directory);
    return { directory, changedMs: statSync(directory).mtimeMs, ...namesOf(directory, seenAs), command, end };
  } catch (error) {
    for (const file of files) closeSync(file);
    removeShellFiles(made);
    throw error;
  }
}

function namesOf(directory: string, seenAs: string): Pick<Opened, "own" | "paths"> {
  return { own: pathsIn(directory), paths: pathsIn(join(seenAs, basename(directory))) };
}

function giveTo({ uid, gid }: NonNullable<SeenBy["owner"]>, directory: string): void {
  for (const name of ["", ...TEXT_NAMES, ...GATE_NAMES]) chownSync(join(directory, name), uid, gid);
}

function isIntact({ directory, changedMs }: Opened): boolean {
  return statSync(directory, { throwIfNoEntry: false })?.mtimeMs === changedMs;
}

function writeTexts(opened: Opened, texts: { readonly command: string; readonly end: string }): void {
  for (const [file, text] of [[opened.command, texts.command] as const, [opened.end, texts.end] as const]) {
    const bytes = Buffer.from(text, "latin1");
    let at = 0;
    while (at < bytes.length) at += writeSync(file, bytes, at, bytes.length - at, at);
    ftruncateSync(file, bytes.length);
  }
}
