/**
 * The wait loop: calls `decideWait` after each chunk of output and each tick.
 *
 * It never waits for a disk or a program, so it keeps its deadline whatever they do. Output is searched in bounded
 * pieces, with a turn of the event loop between them.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Cursor } from "../../base/cursor.ts";
import type { Exit } from "../../base/exit.ts";
import { NO_PROBE_QUIET_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { requireInteger } from "../../base/require-integer.ts";
import type { OutputStore } from "../../journal/output-store.ts";
import type { ListeningPort } from "../../linux/files/list-listening.ts";
import type { InputVerdict } from "../../probe/judge-input-state.ts";
import { type Moment, ProbeSchedule } from "../../probe/probe-schedule.ts";
import type { Finishes } from "../finishes.ts";
import { decideWait, isInput, nextDecisionMs, type WaitFacts, type WaitResult } from "./decide-wait.ts";
import { OutputSearch } from "./output-search.ts";
import { PortWatch } from "./port-watch.ts";
import type { InputWatch } from "./readiness/input-watch.ts";

/** What ends a wait, apart from the end of the program. */
export interface WaitOptions {
  /** Ends the wait when it matches the clean text of the output. A string is also a pattern. */
  readonly until?: string | RegExp;
  /**
   * Where `until` starts to search. A wait with `from` does not move the position for later waits. Default: where the
   * last wait without `from` on this session object ended; initially the beginning.
   */
  readonly from?: Cursor;
  /**
   * Ends the wait after this long without output, counted from the start of the wait at the earliest. Default: not set;
   * on a transport without a probe, 1,000 if `onInput` is true.
   */
  readonly quietMs?: number;
  /** The longest time this wait may take. Default: no limit. */
  readonly deadlineMs?: number;
  /**
   * Ends the wait when the program waits for input. Default true. On a transport without a probe, silence ends it
   * instead.
   */
  readonly onInput?: boolean;
  /**
   * Ends the wait when a process of the session listens on this TCP port, or on any. Rejects with `NO_PROBE` without a
   * probe.
   */
  readonly port?: number | "any";
  /** Stops the wait, never the program. */
  readonly signal?: AbortSignal;
}

/** The parts of a session that a wait uses. */
export interface Waitable {
  readonly store: OutputStore;
  readonly exit: Exit | undefined;
  /** When input was last delivered, on the clock of `performance.now()`. */
  readonly lastInputMs: number;
  /** Whether the transport can tell what the program waits for and on which ports it listens. */
  readonly hasProbe: boolean;
  observeInput(): InputVerdict;
  /** Searches the machine for readers that a plain observation does not find. Later observations include them. */
  searchReaders(options?: { readonly maxAgeMs?: number }): Promise<void>;
  /** How long the program must have been silent before a verdict can be trusted. */
  readonly inputWatch: Pick<InputWatch, "quietNeededMs" | "confirmNeededMs" | "noteReady">;
  listening(): Promise<readonly ListeningPort[]>;
  /** Only a prepared shell has commands that finish. */
  readonly finishes: Finishes;
}

/** What a caller knows when its wait starts. */
export interface CallerWaitOptions extends WaitOptions {
  readonly from: Cursor;
  /** How many finished commands this caller knows of. Infinity: a finish does not end this wait. */
  readonly finishesKnown: number;
  /**
   * Whether this caller already knows that the program waits for input, so that this does not end the wait. Default: it
   * does not.
   */
  readonly knowsInput?: (verdict: InputVerdict) => boolean;
  /** Ports that this caller already knows. They do not end a wait for any port. Default: none. */
  readonly knownPorts?: readonly number[];
}

interface TargetWaitOptions extends CallerWaitOptions {
  /** An earlier wait found no match from here up to `from`; a match may begin in that part. */
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
      : new PortWatch({ changes: store.changes, listening: () => target.listening() }, port, options.knownPorts);
  try {
    for (;;) {
      signal?.throwIfAborted();
      // The observation delivers everything the program wrote before it started to wait, so the search comes after it.
      const input = schedule && observeIfDue(target, schedule, options.knowsInput);
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
      // Silence does not count while output before it is unsearched.
      const limits = isBehind && !search.isReadingDisk ? { ...options, quietMs: undefined } : options;
      const decided = decideWait(facts, limits);
      if (decided) return decided;
      const atMs = Math.min(nextDecisionMs(facts, options), schedule?.dueMs ?? Number.POSITIVE_INFINITY);
      if (isBehind && !search.isReadingDisk) await nextTurn();
      else await store.changes.next({ signal, atMs });
    }
  } finally {
    ports?.stop();
    search?.stop();
  }
}

/** The verdict, if an observation is due and can be trusted. */
function observeIfDue(
  target: Waitable,
  schedule: ProbeSchedule,
  knowsInput: CallerWaitOptions["knowsInput"],
): InputVerdict | undefined {
  if (target.exit) return undefined;
  schedule.note(momentOf(target));
  if (performance.now() < schedule.dueMs) return undefined;
  const verdict = target.observeInput();
  const moment = momentOf(target);
  if (mayReadElsewhere(verdict) && schedule.takeSearch(moment)) {
    void target.searchReaders().catch(() => undefined);
  }
  const { inputWatch } = target;
  const quietMs = inputWatch.quietNeededMs(verdict, moment.lastEventMs);
  const confirmMs = inputWatch.confirmNeededMs(verdict);
  if (!schedule.believes(verdict, moment, { quietMs, confirmMs })) return undefined;
  if (isUnsearched(verdict, moment)) {
    void target.searchReaders({ maxAgeMs: 0 }).catch(() => undefined);
    schedule.dismiss(moment);
    return undefined;
  }
  if (isInput(verdict)) inputWatch.noteReady(verdict);
  if (!knowsInput?.(verdict)) return verdict;
  schedule.dismiss(moment);
  return undefined;
}

/**
 * Whether the reader may be a process that was not found yet: no process reads, or a program passes keys on to another
 * one, which may be on this machine.
 */
function mayReadElsewhere({ basis }: InputVerdict): boolean {
  return basis.kind === "nobody" || (basis.kind === "reader" && basis.isFar);
}

/**
 * Whether a container may have started its program since the last search. What that program waits for can be observed
 * exactly.
 */
function isUnsearched({ basis }: InputVerdict, { lastEventMs }: Pick<Moment, "lastEventMs">): boolean {
  return basis.kind === "reader" && basis.searchedMs !== undefined && basis.searchedMs < lastEventMs;
}

function momentOf({ store, lastInputMs }: Waitable) {
  return {
    nowMs: performance.now(),
    lastEventMs: Math.max(store.lastMs, lastInputMs),
    end: store.end,
    isFresh: store.end === 0 && lastInputMs === 0,
  };
}

/** Without a probe, silence is the only sign that the program waits for input. */
function withoutProbe<T extends WaitOptions>(options: T): T {
  if (options.port !== undefined) {
    throw new LimpetError(
      "NO_PROBE",
      `The transport of this session has no probe, so it cannot wait for port ${options.port}. Wait for text that the program prints.`,
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
