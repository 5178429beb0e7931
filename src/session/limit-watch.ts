/**
 * Ends a session that has reached a limit that the kernel does not enforce for the whole session: wall time, and the
 * total of CPU time, memory and processes of all its programs.
 *
 * Times are from monotonic clocks, so changing the date has no effect.
 */
import { availableParallelism } from "node:os";
import { type Alarm, realAlarm } from "../base/async/alarm.ts";
import { MAX_TIMER_MS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { describeLimits, type EnforcedLimits, type LimitName, type SessionLimits } from "../base/session-limits.ts";
import type { Channel, Usage } from "../transport/transport.ts";
import type { CloseOptions } from "./lifetime.ts";

/** A program that keeps starting others must be ended before there are too many to end quickly. */
const COUNT_EVERY_MS = 250;
const MIN_CHECK_MS = 100;
const MAX_CHECK_MS = 5_000;

/** What a watch needs from a session. */
export interface WatchedSession {
  readonly limits: SessionLimits;
  readonly enforced: EnforcedLimits;
  readonly exited: Promise<unknown>;
  readonly usage: (() => Promise<Usage>) | undefined;
  close(options: CloseOptions): Promise<unknown>;
}

export class LimitWatch {
  readonly #session: WatchedSession;
  readonly #alarm: Alarm;
  readonly #cancels = new Set<() => void>();
  #isOver = false;

  constructor(session: WatchedSession, alarm: Alarm = realAlarm) {
    this.#session = session;
    this.#alarm = alarm;
    const { wallTime } = session.limits;
    if (wallTime !== undefined) this.#after(wallTime, () => this.#end("wallTime"));
    const firstMs = nextCheckMs(undefined, watchedLimits(session));
    if (session.usage && firstMs !== undefined) this.#after(firstMs, () => void this.#check());
    void session.exited.then(() => this.stop());
  }

  stop(): void {
    this.#isOver = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }

  async #check(): Promise<void> {
    const limits = watchedLimits(this.#session);
    // Listing processes can fail for lack of descriptors; the next attempt may succeed.
    const usage = await this.#session.usage?.().catch(() => undefined);
    if (this.#isOver) return;
    const reached = usage && reachedLimit(usage, limits);
    const nextMs = nextCheckMs(usage, limits);
    if (reached) this.#end(reached);
    else if (nextMs !== undefined) this.#after(nextMs, () => void this.#check());
  }

  /** A session that exceeds its memory or processes is killed at once, without a grace time. */
  #end(limit: LimitName): void {
    this.stop();
    void this.#session.close({ reason: "limit", limit, force: limit === "memory" || limit === "processes" });
  }

  /** Timers of Node are limited to some weeks, so a longer one is split. */
  #after(ms: number, ring: () => void): void {
    const stepMs = Math.min(ms, MAX_TIMER_MS);
    const cancel = this.#alarm(stepMs, () => {
      this.#cancels.delete(cancel);
      if (ms > stepMs) this.#after(ms - stepMs, ring);
      else ring();
    });
    this.#cancels.add(cancel);
  }
}

/**
 * Ends a program whose transport cannot enforce the limits, and throws: a limit without effect would be worse than
 * none.
 */
export async function requireLimits(limits: SessionLimits, channel: Channel): Promise<void> {
  if (channel.limits || Object.keys(limits).every((name) => name === "wallTime")) return;
  await channel.close({ graceMs: 0 });
  throw new LimpetError(
    "LIMIT_UNAVAILABLE",
    `Where this program runs, only its wall time can be limited (got ${describeLimits(limits)}). Omit the others.`,
  );
}

interface WatchParts {
  readonly channel: Channel;
  readonly close: (options: CloseOptions) => Promise<unknown>;
  readonly alarm: Alarm | undefined;
}

/** Watches a session until its program has ended. */
export function watchLimits(limits: SessionLimits, { channel, close, alarm }: WatchParts): LimitWatch {
  const usage = channel.usage ? () => channel.usage?.() ?? Promise.reject(new Error("no usage")) : undefined;
  return new LimitWatch({ limits, enforced: channel.limits ?? {}, exited: channel.exited, usage, close }, alarm);
}

/** The limits for which the usage of the session must be read. Pure. */
export function watchedLimits({ limits, enforced }: Pick<WatchedSession, "limits" | "enforced">): SessionLimits {
  const isWatched = (name: LimitName) => limits[name] !== undefined && enforced[name]?.by !== "cgroup";
  const names = (["memory", "processes", "cpuTime"] as const).filter(isWatched);
  return Object.fromEntries(names.map((name) => [name, limits[name]]));
}

/** Pure: the first limit that a session has reached. */
export function reachedLimit(usage: Usage, { memory, processes, cpuTime }: SessionLimits): LimitName | undefined {
  if (processes !== undefined && usage.processes > processes) return "processes";
  if (memory !== undefined && usage.memoryBytes > memory) return "memory";
  return cpuTime !== undefined && usage.cpuMs >= cpuTime ? "cpuTime" : undefined;
}

/** When to check again. CPU time grows at most as fast as the time of all processors together. Pure. */
export function nextCheckMs(
  usage: Usage | undefined,
  { memory, processes, cpuTime }: SessionLimits,
  processors: number = availableParallelism(),
): number | undefined {
  const cpuMs = cpuTime === undefined ? [] : [(cpuTime - (usage?.cpuMs ?? 0)) / processors];
  const memoryMs =
    memory === undefined ? [] : [(usage?.memoryBytes ?? 0) > memory / 2 ? COUNT_EVERY_MS : 4 * COUNT_EVERY_MS];
  const countMs = processes === undefined ? [] : [COUNT_EVERY_MS];
  const dueMs = Math.min(...cpuMs, ...memoryMs, ...countMs);
  return Number.isFinite(dueMs) ? Math.min(MAX_CHECK_MS, Math.max(MIN_CHECK_MS, Math.ceil(dueMs))) : undefined;
}
