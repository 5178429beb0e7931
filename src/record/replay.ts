/** Plays a recording, in its own time or faster, with long silences cut short. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CastEvent } from "./asciicast.ts";
import { Pace, type PaceOptions } from "./pace.ts";

/** How to play. */
export interface ReplayOptions extends PaceOptions {
  /** Gets output as it comes, and may take its time. */
  readonly write: (text: string) => void | Promise<void>;
  /** Gets all other events: sizes, markers, the exit. Default: nobody. */
  readonly onEvent?: (event: CastEvent) => void;
  readonly signal?: AbortSignal;
}

/** Resolves when the last event was played. An abort rejects with the signal's reason. */
export async function replay(events: AsyncIterable<CastEvent>, options: ReplayOptions): Promise<void> {
  const { write, onEvent, signal } = options;
  const pace = new Pace(options);
  const startedMs = performance.now();
  for await (const event of events) {
    // Against one clock, so that many small waits do not add up to a late one.
    await pause(startedMs + pace.due(event) - performance.now(), signal);
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
