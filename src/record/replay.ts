/** Plays a recording, in its own time or faster, with long silences cut short. */
import { setTimeout as sleep } from "node:timers/promises";
import { ShellError } from "../base/errors.ts";
import type { CastEvent } from "./asciicast.ts";

/** How to play. */
export interface ReplayOptions {
  /** Gets output as it comes, and may take its time. */
  readonly write: (text: string) => void | Promise<void>;
  /** Gets all other events: sizes, markers, the exit. Default: nobody. */
  readonly onEvent?: (event: CastEvent) => void;
  /** 2 is twice as fast. From 0.01 on; `Infinity` waits for nothing. Default 1. */
  readonly speed?: number;
  /** No silence is longer than this, before `speed` is applied. Default: as long as it was. */
  readonly idleMs?: number;
  readonly signal?: AbortSignal;
}

/** Resolves when the last event was played. An abort rejects with the signal's reason. */
export async function replay(events: AsyncIterable<CastEvent>, options: ReplayOptions): Promise<void> {
  const { write, onEvent, speed = 1, idleMs = Number.POSITIVE_INFINITY, signal } = options;
  if (!(speed >= 0.01)) throw new ShellError("BAD_OPTION", `speed is ${speed}. Give a number from 0.01 on.`);
  if (!(idleMs >= 0)) throw new ShellError("BAD_OPTION", `idleMs is ${idleMs}. Give a number from 0 on.`);
  const startedMs = performance.now();
  let lastMs = 0;
  let dueMs = 0;
  for await (const event of events) {
    dueMs += Math.min(event.atMs - lastMs, idleMs) / speed;
    lastMs = event.atMs;
    // Against one clock, so that many small waits do not add up to a late one.
    await pause(startedMs + dueMs - performance.now(), signal);
    if (event.kind === "output") await write(event.text);
    else onEvent?.(event);
  }
}

/** The longest that a timer of Node's can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  for (let left = ms; left >= 1; left -= LONGEST_TIMER_MS) {
    await sleep(Math.min(left, LONGEST_TIMER_MS), undefined, signal ? { signal } : {}).catch(() =>
      signal?.throwIfAborted(),
    );
  }
}
