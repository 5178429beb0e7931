/**
 * Stands between a channel and the journal, so that what it takes out is in no view of the output: not in text, not in a
 * search, not on the screen. It works in the turn in which the output arrives.
 */
import type { Cursor } from "../base/cursor.ts";
import type { OnOutput } from "../transport/transport.ts";

/** How a command in a prepared shell ended. */
export interface Finish {
  /** 0 to 255; null where the shell could not tell. */
  readonly exitCode: number | null;
  /** Where the shell is now. */
  readonly cwd: string;
  /** Where the command's output ends. */
  readonly end: Cursor;
}

export interface OutputFilter {
  /** Hands what is output on to `pass`, in order, in this turn. May hold back what could be the beginning of something to take out. */
  push(bytes: Uint8Array, pass: (bytes: Uint8Array) => void): void;
  /** Nothing follows: hands on what it holds back. */
  finish(pass: (bytes: Uint8Array) => void): void;
}

/** The commands that have finished in a session, for those who wait: each wait hears of those that no wait has heard of. */
export class Finishes {
  #phase: "plain" | "busy" | "between" = "plain";
  #count = 0;
  #toldCount = 0;
  #latest: Finish | undefined;

  begin(): void {
    this.#phase = "busy";
  }

  /** It is a prepared shell between two commands: it reads, but waits for nobody's answer. */
  get isBetween(): boolean {
    return this.#phase === "between";
  }

  add(finish: Finish): void {
    this.#phase = "between";
    this.#count += 1;
    this.#latest = finish;
  }

  /** Whoever waits from here on hears of what has not been told until now. */
  get toldCount(): number {
    return this.#toldCount;
  }

  /** The latest that finished, if any did after the first `count`. */
  since(count: number): Finish | undefined {
    return this.#count > count ? this.#latest : undefined;
  }

  markTold(): void {
    this.#toldCount = this.#count;
  }
}

/** What a channel delivers, as it gets to the journal. */
export function filtered(filter: OutputFilter | undefined, append: OnOutput, onEvent: () => void): OnOutput {
  if (!filter) return append;
  const pass = (bytes: Uint8Array) => append(bytes, "terminal");
  return (bytes, origin) => {
    if (origin !== "terminal") append(bytes, origin);
    else filter.push(bytes, pass);
    onEvent();
  };
}
