/**
 * Waits until there is something to know: asks `decideWait` after each chunk and tick.
 *
 * Nothing here waits for a disk or for a program, so a deadline is kept whatever those do. Output is searched in bounded
 * pieces, with a turn of the loop between them.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Cursor } from "../../base/cursor.ts";
import type { Exit } from "../../base/exit.ts";
import { NO_PROBE_QUIET_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { requireInteger } from "../../base/require-integer.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import type { ListeningPort } from "../../linux/list-listening.ts";
import type { InputVerdict } from "../../probe/judge-input-state.ts";
import { ProbeSchedule } from "../../probe/probe-schedule.ts";
import type { Finishes } from "../finishes.ts";
import { decideWait, nextAskMs, type WaitFacts, type WaitResult } from "./decide-wait.ts";
import { OutputSearch } from "./output-search.ts";
import { PortWatch } from "./port-watch.ts";

/** What ends a wait, besides the end of the program. */
export interface WaitOptions {
  /** Ends the wait when it occurs in the clean text of the output. A string is a pattern too. */
  readonly until?: string | RegExp;
  /**
   * Where `until` begins to search; such a wait moves nothing. Default: where the last wait without it on this session object
   * ended, at first the beginning.
   */
  readonly from?: Cursor;
  /**
   * Ends the wait when there was no output for this long since it began. Default: no such end; on a transport without a probe,
   * 1,000 for a wait that `onInput` would end.
   */
  readonly quietMs?: number;
  /** The longest that this wait may take. Default: no limit. */
  readonly deadlineMs?: number;
  /** End the wait when the program waits for input. Default true. On a transport without a probe, silence ends it instead. */
  readonly onInput?: boolean;
  /** Ends the wait when something of the session listens on this TCP port, or on any. Refused with `NO_PROBE` without a probe. */
  readonly port?: number | "any";
  /** Stops the waiting, never the program. */
  readonly signal?: AbortSignal;
}

/** What a wait needs of a session. */
export interface Waitable {
  readonly store: OutputStore;
  readonly exit: Exit | undefined;
  /** When input was last delivered, on the clock of `performance.now()`. */
  readonly lastInputMs: number;
  /** Somebody can say what the program waits for and on which ports it listens. */
  readonly hasProbe: boolean;
  observeInput(): InputVerdict;
  listening(): Promise<readonly ListeningPort[]>;
  /** Only a prepared shell has commands that finish. */
  readonly finishes: Finishes;
}

/** What the caller of a wait knows when it begins. */
export interface CallerWaitOptions extends WaitOptions {
  readonly from: Cursor;
  /** How many finished commands this caller knows of. Infinity: a finish does not end this wait. */
  readonly finishesKnown: number;
}

interface TargetWaitOptions extends CallerWaitOptions {
  /** From here on up to `from` an earlier wait has searched in vain; a match may begin there. */
  readonly recallFrom?: Cursor | undefined;
}

export async function waitFor(target: Waitable, asked: TargetWaitOptions): Promise<WaitResult> {
  checkOptions(asked);
  const options = target.hasProbe || target.exit ? asked : withoutProbe(asked);
  const { store } = target;
  const { signal, onInput = true, port, until } = options;
  const startedMs = performance.now();
  const search = until === undefined ? undefined : new OutputSearch(store, until, options);
  const schedule = onInput ? new ProbeSchedule() : undefined;
  const ports =
    port === undefined
      ? undefined
      : new PortWatch({ changes: store.changes, listening: () => target.listening() }, port);
  try {
    for (;;) {
      signal?.throwIfAborted();
      // The observation delivers what the program wrote before it began to wait, so the search comes after it.
      const input = schedule && observeIfDue(target, schedule);
      search?.advance();
      const isBehind = search !== undefined && !search.isDone;
      const facts: WaitFacts = {
        nowMs: performance.now(),
        startedMs,
        lastOutputMs: store.lastMs,
        cursor: search?.cursor ?? store.end,
        match: search?.match,
        exit: isBehind ? undefined : target.exit,
        input: isBehind ? undefined : input,
        listening: ports?.found,
        finished: isBehind ? undefined : target.finishes.since(options.finishesKnown),
      };
      // Silence says nothing as long as what came before it has not been searched.
      const limits = isBehind && !search.isReadingDisk ? { ...options, quietMs: undefined } : options;
      const decided = decideWait(facts, limits);
      if (decided) return decided;
      const atMs = Math.min(nextAskMs(facts, options), schedule?.dueMs ?? Number.POSITIVE_INFINITY);
      if (isBehind && !search.isReadingDisk) await nextTurn();
      else await store.changes.next({ signal, atMs });
    }
  } finally {
    ports?.stop();
    search?.stop();
  }
}

/** The verdict, when it is due and can be believed. */
function observeIfDue(target: Waitable, schedule: ProbeSchedule): InputVerdict | undefined {
  if (target.exit) return undefined;
  schedule.note(momentOf(target));
  if (performance.now() < schedule.dueMs) return undefined;
  const verdict = target.observeInput();
  const moment = momentOf(target);
  return schedule.believes(verdict, moment) ? verdict : undefined;
}

function momentOf({ store, lastInputMs }: Waitable) {
  return {
    nowMs: performance.now(),
    lastEventMs: Math.max(store.lastMs, lastInputMs),
    end: store.end,
    isFresh: store.end === 0 && lastInputMs === 0,
  };
}

/** Nobody can say that the program waits for input: silence is all there is to go by. */
function withoutProbe<T extends WaitOptions>(options: T): T {
  if (options.port !== undefined) {
    throw new LimpetError(
      "NO_PROBE",
      `The transport of this session has no probe, so a wait for port ${options.port} cannot end. Wait for a text that the program prints.`,
    );
  }
  const { onInput = true, quietMs = onInput ? NO_PROBE_QUIET_MS : undefined } = options;
  return { ...options, onInput: false, ...(quietMs === undefined ? {} : { quietMs }) };
}

function checkOptions({ quietMs, deadlineMs, port, from }: WaitOptions): void {
  const anyTime = { min: 0, max: Number.MAX_SAFE_INTEGER };
  if (quietMs !== undefined) requireInteger("quietMs", quietMs, { min: 1, max: anyTime.max });
  if (deadlineMs !== undefined) requireInteger("deadlineMs", deadlineMs, anyTime);
  if (from !== undefined) requireInteger("from", from, anyTime);
  if (port !== undefined && port !== "any") requireInteger("port", port, { min: 1, max: 65_535 });
}
