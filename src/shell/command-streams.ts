/**
 * The stdin and the separate stderr of a command: a file and a named pipe in a directory that only this user can enter.
 */
import { chownSync, closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import { makeFifo } from "../linux/make-fifo.ts";
import { FdReader } from "../transport/local/fd-reader.ts";
import type { FileRoots } from "../transport/transport.ts";

export interface StreamOptions {
  /** Null: no input. Undefined: the terminal. */
  readonly stdin?: string | Uint8Array | null | undefined;
  readonly splitStderr?: boolean | undefined;
  /** Where the command can read and write files. Default: the temporary directory. */
  readonly fileRoots?: FileRoots | undefined;
}

const SAFE_PATH = /^[\w./-]+$/;

export class CommandStreams {
  readonly #root: string;
  /** What the command calls the root. */
  readonly #seenAs: string;
  readonly #owner: FileRoots["owner"];
  #directory: string | undefined;
  #reader: FdReader | undefined;
  #redirects = "";
  #isOver = false;

  private constructor(root: string, { seenAs = root, owner }: Pick<FileRoots, "seenAs" | "owner"> = {}) {
    this.#root = root;
    this.#seenAs = seenAs;
    this.#owner = owner;
  }

  /** The redirections to add to the command. */
  get redirects(): string {
    return this.#redirects;
  }

  static async open(
    { stdin, splitStderr, fileRoots }: StreamOptions,
    onStderr: (bytes: Uint8Array) => void,
  ): Promise<CommandStreams> {
    const root = fileRoots?.writable ?? tmpdir();
    const streams = new CommandStreams(root, fileRoots);
    try {
      if (stdin === null) streams.#redirects += " </dev/null";
      else if (stdin !== undefined) await streams.#openStdin(stdin);
      if (splitStderr) await streams.#openStderr(onStderr);
    } catch (cause) {
      await streams.close();
      throw new LimpetError(
        "RESOURCE_EXHAUSTED",
        `The files for the command's stdin and stderr could not be created in ${root}. Free space there, or omit stdin and splitStderr.`,
        { cause },
      );
    }
    return streams;
  }

  /** Synchronously reads what the command has written to stderr so far. */
  drain(): void {
    this.#reader?.drain();
  }

  /** Call when the command has ended. Programs that it left running may still write to its stderr. */
  async commandEnded(): Promise<void> {
    this.#isOver = true;
    if (!this.#reader) await this.close();
  }

  async close(): Promise<void> {
    this.releaseStderr();
    this.#reader?.close();
    this.#reader = undefined;
    const directory = this.#directory;
    this.#directory = undefined;
    if (directory === undefined) return;
    // Removed by name: listing a directory needs a descriptor, and none may be left.
    for (const name of ["stdin", "stderr"]) await rm(join(directory, name), { force: true });
    // A sandbox removes its directories with its last program.
    await rmdir(directory).catch(() => undefined);
  }

  async #openStdin(text: string | Uint8Array): Promise<void> {
    const path = join(await this.#workingDirectory(), "stdin");
    await writeFile(path, text, { mode: 0o600 });
    this.#hand(path);
    this.#redirects += ` <${this.#seen(path)}`;
  }

  async #openStderr(onStderr: (bytes: Uint8Array) => void): Promise<void> {
    const path = join(await this.#workingDirectory(), "stderr");
    makeFifo(path);
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.#reader = new FdReader({
      fd,
      kind: "pipe",
      onChunk: onStderr,
      onEnd: () => {
        this.#reader = undefined;
        if (this.#isOver) void this.close();
      },
    });
    // A pipe without a writer reads as ended, so this process keeps a writer until the command opens the pipe.
    const holder = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    this.#release = () => closeSync(holder);
    this.#hand(path);
    this.#redirects += ` 2>${this.#seen(path)}`;
  }

  /** The same path, as the command names it. */
  #seen(path: string): string {
    return join(this.#seenAs, relative(this.#root, path));
  }

  #hand(path: string): void {
    if (this.#owner) chownSync(path, this.#owner.uid, this.#owner.gid);
  }

  #release: () => void = () => undefined;

  /** Call when the command has started or ended: from then on the pipe ends with its last writer. */
  releaseStderr(): void {
    this.#release();
    this.#release = () => undefined;
  }

  async #workingDirectory(): Promise<string> {
    if (this.#directory === undefined) {
      this.#directory = await mkdtemp(join(this.#root, "limpet-"));
      this.#hand(this.#directory);
    }
    if (!SAFE_PATH.test(this.#directory)) throw new Error(`${this.#directory} cannot be typed`);
    return this.#directory;
  }
}
