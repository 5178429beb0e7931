/** Plays a recording at the original speed or another one, with long silences shortened. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CastEvent } from "./asciicast.ts";
import { Pace, type PaceOptions } from "./pace.ts";

/** How to play a recording. */
export interface ReplayOptions extends PaceOptions {
  /** Receives output when it is due. The replay waits for the returned promise. */
  readonly write: (text: string) => void | Promise<void>;
  /** Receives all other events: sizes, markers, the exit. Default: ignored. */
  readonly onEvent?: (event: CastEvent) => void;
  readonly signal?: AbortSignal;
}

/** Resolves when the last event was played. Rejects with the signal's reason when it aborts. */
export async function replay(events: AsyncIterable<CastEvent>, options: ReplayOptions): Promise<void> {
  const { write, onEvent, signal } = options;
  const pace = new Pace(options);
  const startedMs = performance.now();
  for await (const event of events) {
    // Measured from one start time, so that many small delays do not add up.
    await pause(startedMs + pace.due(event) - performance.now(), signal);
    if (event.kind === "output") await write(event.text);
    else onEvent?.(event);
  }
}

/** The longest delay of a Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  for (let left = ms; left >= 1; left -= LONGEST_TIMER_MS) {
    await sleep(Math.min(left, LONGEST_TIMER_MS), undefined, signal ? { signal } : {}).catch(() =>
      signal?.throwIfAborted(),
    );
  }
}
