/**
 * Counts the commands that have finished in a prepared shell.
 *
 * Every caller remembers the count it knows. So each caller learns of a finish exactly once, independently of other
 * callers.
 */
import type { Cursor } from "../base/cursor.ts";

/** How a command in a prepared shell ended. */
export interface Finish {
  /** 0 to 255; null if the shell did not report it. */
  readonly exitCode: number | null;
  /** The working directory of the shell after the command. */
  readonly cwd: string;
  /** The kernel killed a process for lack of memory while the command ran, and the exit code is that of SIGKILL. */
  readonly outOfMemory?: boolean;
  /** The cursor at which the command's output ends. */
  readonly end: Cursor;
}

export class Finishes {
  #phase: "plain" | "busy" | "between" = "plain";
  #isPreparing = false;
  #count = 0;
  #latest: Finish | undefined;
  #directory: string | undefined;
  #onMoved: () => void = () => undefined;
  #onFinished: (finish: Finish) => void = () => undefined;

  /** `directory`: the last directory of a shell that another process started. */
  constructor(directory?: string) {
    this.#directory = directory;
  }

  /** Call when a shell has been started, and is about to be prepared for commands. */
  prepare(): void {
    this.#isPreparing = true;
  }

  /** The session is a shell that is not ready for commands yet. It may read, but waits only for limpet. */
  get isPreparing(): boolean {
    return this.#isPreparing;
  }

  /** Call when a command was typed into the shell. */
  start(): void {
    this.#phase = "busy";
  }

  /** Call when the shell has answered a query from limpet: it is ready again, but no command has finished. */
  ready(): void {
    this.#isPreparing = false;
    this.#phase = "between";
  }

  add(finish: Finish): void {
    this.ready();
    this.#count += 1;
    this.#latest = finish;
    const hasMoved = finish.cwd !== this.#directory;
    this.#directory = finish.cwd;
    if (hasMoved) this.#onMoved();
    this.#onFinished(finish);
  }

  /** The directory of the shell after its last command; undefined before the first one, and if it is not a shell. */
  get directory(): string | undefined {
    return this.#directory;
  }

  /** Calls `listener` when the directory has changed. There is one listener. */
  onMoved(listener: () => void): void {
    this.#onMoved = listener;
  }

  /** Calls `listener` with each finish. There is one listener. */
  onFinished(listener: (finish: Finish) => void): void {
    this.#onFinished = listener;
  }

  /** The session is a prepared shell between two commands: it reads, but does not wait for anyone's answer. */
  get isBetween(): boolean {
    return this.#phase === "between";
  }

  /** The number of commands that have finished. */
  get count(): number {
    return this.#count;
  }

  /** The latest finish, if more than `count` commands have finished. */
  since(count: number): Finish | undefined {
    return this.#count > count ? this.#latest : undefined;
  }
}
