/**
 * The files through which a shell gets its commands, in a directory that only this user can enter: the text of a
 * command, the text that reports its end, and three gates. A gate is a named pipe that the shell opens for reading
 * where it must wait for limpet. The kernel shows who waits there.
 *
 * Both texts stay open here: truncating a file by its name makes some file systems write it to the disk at once. The
 * lock on the first one tells other processes that the directory is in use.
 */
import {
  closeSync,
  constants,
  ftruncateSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { endWithProcess, forget } from "../../linux/end-with-process.ts";
import { libc } from "../../linux/libc.ts";
import { makeFifo } from "../../linux/make-fifo.ts";

/** Absolute paths without special characters. */
export interface ShellPaths {
  readonly command: string;
  readonly end: string;
  /** Where some shells wait before the command. */
  readonly startGate: string;
  /** Where every shell waits behind its end mark. */
  readonly endGate: string;
  /** Where a shell that is asked for its state gets the nonce of its answer. */
  readonly keyGate: string;
}

export type Gate = "startGate" | "endGate" | "keyGate";

interface Opened {
  readonly directory: string;
  /** Changes when a file in it is created, renamed or deleted. */
  readonly changedMs: number;
  readonly paths: ShellPaths;
  readonly command: number;
  readonly end: number;
}

export const SHELL_FILES_PREFIX = "limpet-sh-";
const SAFE_PATH = /^\/[\w./-]*$/;
const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
const LOCK_EX = 2;
/** The last is a new command file, before it replaces the first. */
const NAMES = ["c", "e", "s", "g", "k", "n"] as const;

/** A full or read-only disk must not make a shell unusable: the command may be the one that frees space. */
const roots = (): string[] => [...new Set([tmpdir(), "/tmp", "/dev/shm"])].filter((root) => SAFE_PATH.test(root));

export class ShellFiles {
  #opened: Opened | undefined;
  #isClosed = false;

  /** Throws `RESOURCE_EXHAUSTED`. */
  constructor() {
    this.#opened = openAny(roots());
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
    const left = roots();
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
   * The same for a command that the shell may be reading now: it gets all of it or nothing, because the file that it
   * has opened stays as it is.
   */
  revoke(): void {
    if (!this.#opened) return;
    const { directory, paths } = this.#opened;
    try {
      const empty = join(directory, "n");
      closeSync(openSync(empty, CREATE, 0o600));
      renameSync(empty, paths.command);
    } catch {
      removeShellFiles(directory);
    }
  }

  /** Lets the shell continue that waits there, and reads `text` there. */
  openGate(which: Gate, text = ""): void {
    try {
      const gate = openSync(this.#opened?.paths[which] ?? "", constants.O_WRONLY | constants.O_NONBLOCK);
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
    this.#opened = openAny(left);
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

/** Deletes such a directory, as far as it is there. Files of others in it are kept. */
export function removeShellFiles(directory: string): void {
  try {
    for (const name of NAMES) rmSync(join(directory, name), { force: true });
    rmdirSync(directory);
  } catch {
    // Somebody else has deleted it, or uses it.
  }
}

/** Removes the tried roots from `left`. */
function openAny(left: string[]): Opened {
  let cause: unknown;
  for (let root = left.shift(); root !== undefined; root = left.shift()) {
    try {
      return openIn(root);
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

function openIn(root: string): Opened {
  const directory = mkdtempSync(join(root, SHELL_FILES_PREFIX));
  const [command = "", end = "", ...gates] = NAMES.slice(0, -1).map((name) => join(directory, name));
  const [startGate = "", endGate = "", keyGate = ""] = gates;
  const files: number[] = [];
  try {
    for (const path of [command, end]) files.push(openSync(path, CREATE, 0o600));
    for (const path of gates) makeFifo(path);
    const [commandFile = -1, endFile = -1] = files;
    libc.flock(commandFile, LOCK_EX);
    return {
      directory,
      changedMs: statSync(directory).mtimeMs,
      paths: { command, end, startGate, endGate, keyGate },
      command: commandFile,
      end: endFile,
    };
  } catch (error) {
    for (const file of files) closeSync(file);
    removeShellFiles(directory);
    throw error;
  }
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
