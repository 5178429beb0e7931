/**
 * The commands that have finished in a session, where it is a prepared shell.
 *
 * They are counted, and every caller remembers how many of them it knows. So each caller hears of a finish once, and nobody takes
 * it away from another.
 */
import type { Cursor } from "../base/cursor.ts";

/** How a command in a prepared shell ended. */
export interface Finish {
  /** 0 to 255; null where the shell could not tell. */
  readonly exitCode: number | null;
  /** Where the shell is now. */
  readonly cwd: string;
  /** Where the command's output ends. */
  readonly end: Cursor;
}

export class Finishes {
  #phase: "plain" | "busy" | "between" = "plain";
  #count = 0;
  #latest: Finish | undefined;

  /** Something was typed for the shell to run. */
  begin(): void {
    this.#phase = "busy";
  }

  /** The shell has answered a question of ours: it is ready again, and no command has finished. */
  ready(): void {
    this.#phase = "between";
  }

  add(finish: Finish): void {
    this.ready();
    this.#count += 1;
    this.#latest = finish;
  }

  /** It is a prepared shell between two commands: it reads, but waits for nobody's answer. */
  get isBetween(): boolean {
    return this.#phase === "between";
  }

  /** How many there have been. */
  get count(): number {
    return this.#count;
  }

  /** The latest that finished, if any did after the first `count`. */
  since(count: number): Finish | undefined {
    return this.#count > count ? this.#latest : undefined;
  }
}
