/**
 * Stdin and stdout of a command as one stream. The stream ends with the command, and destroying it ends the command.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { whenOver } from "./when-over.ts";

/** A command that ignores SIGTERM is killed after this time. */
const KILL_AFTER_MS = 2_000;

/** Time to read the remaining output of a command that has ended. */
const REST_MS = 500;

interface CommandStreamOptions {
  /** The first bytes of the stream, which were read before it was created. */
  readonly head: Buffer;
  /** Called when the stream is destroyed with an error, because the other side does not answer. */
  readonly onDead: (() => void) | undefined;
}

export class CommandStream extends Duplex {
  readonly #command: ChildProcessWithoutNullStreams;
  readonly #onDead: (() => void) | undefined;

  constructor(command: ChildProcessWithoutNullStreams, { head, onDead }: CommandStreamOptions) {
    super({ allowHalfOpen: false });
    this.#command = command;
    this.#onDead = onDead;
    const { stdin, stdout } = command;
    if (head.length > 0) this.push(head);
    stdout.on("data", (chunk: Buffer) => {
      if (!this.push(chunk)) stdout.pause();
    });
    stdout.on("end", () => this.push(null));
    stdout.on("error", () => this.destroy());
    stdin.on("error", () => this.destroy());
    // Leaves the reader a moment for the remaining output. The client requests again what is lost with a link.
    whenOver(command, () => void setTimeout(() => this.destroy(), REST_MS).unref());
  }

  override _read(): void {
    this.#command.stdout.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#command.stdin.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#command.stdin.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    endCommand(this.#command);
    if (error) this.#onDead?.();
    done(error);
  }

  ref(): this {
    this.#command.ref();
    for (const pipe of this.#pipes()) pipe.ref();
    return this;
  }

  unref(): this {
    this.#command.unref();
    for (const pipe of this.#pipes()) pipe.unref();
    return this;
  }

  /** Pipes of a child process are sockets. */
  #pipes(): readonly Socket[] {
    const { stdin, stdout, stderr } = this.#command;
    return [stdin, stdout, stderr] as unknown as readonly Socket[];
  }
}

/**
 * Ends a command and its process group. A command of another user cannot be signalled; it ends because its stdin is
 * closed.
 */
export function endCommand(command: ChildProcessWithoutNullStreams): void {
  const { pid, stdin, stdout, stderr } = command;
  for (const pipe of [stdin, stdout, stderr]) pipe.destroy();
  if (pid === undefined || command.exitCode !== null || command.signalCode !== null) return;
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(-pid, signal);
    } catch {
      // The process has ended or belongs to another user.
    }
  };
  kill("SIGTERM");
  const timer = setTimeout(() => kill("SIGKILL"), KILL_AFTER_MS).unref();
  command.once("exit", () => clearTimeout(timer));
  command.unref();
}
