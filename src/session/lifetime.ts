/** The life of a session: its phase, how its program ended, how to close it, and which processes it left running. */
import { constants } from "node:os";
import { deferred } from "../base/async/deferred.ts";
import { describeExit, type Exit, limitOf } from "../base/exit.ts";
import { DEFAULT_GRACE_MS, MAX_GRACE_MS, TERMINATE_GRACE_MS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { LimitName, LimitState } from "../base/session-limits.ts";
import type { OutputStore } from "../journal/output-store.ts";
import type { EndReport, FirstSignal } from "../linux/processes/kill-process-tree.ts";
import type { RunningProcess } from "../transport/probe.ts";
import type { Channel, FrozenBy, SignalTarget } from "../transport/transport.ts";

/** How to close a session, and why. */
export interface CloseOptions {
  /**
   * Time until SIGKILL, 0 to 60,000. Default 1,000, with `firstSignal: "SIGTERM"` 2,000. SIGTERM follows SIGHUP after a
   * quarter of it.
   */
  readonly graceMs?: number;
  /**
   * The signal that is sent first. `SIGTERM` is for programs that handle it. SIGHUP then follows after half of the
   * grace time.
   */
  readonly firstSignal?: FirstSignal;
  /** Kill at once and ignore `graceMs`. Default false. */
  readonly force?: boolean;
  /** Why the session is closed. The first reason wins. Default "asked". */
  readonly reason?: CloseReason;
  /** With the reason `limit`: the limit that was reached. */
  readonly limit?: LimitName;
}

/**
 * `asked`: a caller closed the session. `idle`: no caller had used it for `idleMs`. `left`: it was an idle shell whose
 * client had disconnected. `room`: it was an idle shell, and another session needed its slot. `limit`: it has reached
 * one of its limits.
 */
export type CloseReason = "asked" | "idle" | "left" | "room" | "limit";

interface LifetimeParts {
  readonly id: number;
  readonly isLost: boolean;
  readonly store: OutputStore;
  readonly channel: Channel;
}

/**
 * `running`: the program is alive. `closing`: limpet is ending it. `exited`: the program has ended, but a process that
 * it started still holds its terminal and may print. `ended`: no output can follow.
 */
export type Phase = "running" | "closing" | "exited" | "ended";

interface PhaseFacts {
  readonly exit: Exit | undefined;
  readonly isOutputEnded: boolean;
  readonly isCloseAsked: boolean;
}

/** Pure. Exit and end of output can come in either order: a piped program may close its output and keep running. */
export function phaseOf({ exit, isOutputEnded, isCloseAsked }: PhaseFacts): Phase {
  if (exit && isOutputEnded) return "ended";
  if (isCloseAsked) return "closing";
  return exit ? "exited" : "running";
}

export class Lifetime {
  readonly #parts: LifetimeParts;
  #exit: Exit | undefined;
  #closeReason: CloseReason | undefined;
  #limit: LimitName | undefined;
  #frozen: FrozenBy | undefined;
  #hasNothingLeft = false;
  readonly #closed = deferred<void>();
  /** Resolves when the program has ended. Never rejects. */
  readonly exited: Promise<Exit>;

  constructor(parts: LifetimeParts) {
    this.#parts = parts;
    this.exited = parts.channel.exited.then((exit) => {
      // The limit is the reason, whichever signal ended the program.
      this.#exit = this.#limit === undefined || exit.kind === "lost" ? exit : { ...exit, limit: this.#limit };
      parts.store.noteExit();
      return this.#exit;
    });
  }

  get exit(): Exit | undefined {
    return this.#exit;
  }

  get closeReason(): CloseReason | undefined {
    return this.#closeReason;
  }

  /** The limits that were reached, as reported by the kernel or found by limpet. */
  get limitState(): LimitState {
    const { channel } = this.#parts;
    const endedBy = this.#limit ?? (this.#exit && limitOf(this.#exit)) ?? null;
    return { enforced: channel.limits ?? {}, hits: this.#exit ? [] : (channel.limitHits?.() ?? []), endedBy };
  }

  /** How the session is frozen; undefined if it is not. */
  get frozen(): FrozenBy | undefined {
    return this.#exit ? undefined : this.#frozen;
  }

  async freeze(): Promise<FrozenBy> {
    this.requireAlive("freeze");
    const { id, channel } = this.#parts;
    const frozen = await channel.freeze?.();
    if (frozen === undefined) {
      throw new LimpetError("NO_PROBE", `Session ${id} cannot be frozen where it runs. Hold it instead.`);
    }
    this.#frozen = frozen;
    return frozen;
  }

  /** False if it was not frozen. */
  async thaw(): Promise<boolean> {
    const wasFrozen = this.frozen !== undefined;
    await this.#parts.channel.thaw?.();
    this.#frozen = undefined;
    return wasFrozen;
  }

  /** Resolves when the session has been closed. Never rejects. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get phase(): Phase {
    return phaseOf({
      exit: this.#exit,
      isOutputEnded: this.#parts.store.hasEnded,
      isCloseAsked: this.#closeReason !== undefined,
    });
  }

  /** False if `leftovers` is known to be empty. */
  get mayHaveLeftovers(): boolean {
    return this.#exit !== undefined && !this.#hasNothingLeft;
  }

  async leftovers(): Promise<readonly RunningProcess[]> {
    if (!this.mayHaveLeftovers) return [];
    const left = (await this.#parts.channel.probe?.running()) ?? [];
    // Final: only a process of the session could start another one.
    this.#hasNothingLeft = left.length === 0;
    return left;
  }

  async close(options: CloseOptions): Promise<EndReport> {
    const { force = false, reason = "asked", firstSignal } = options;
    const { graceMs = firstSignal === "SIGTERM" ? TERMINATE_GRACE_MS : DEFAULT_GRACE_MS } = options;
    requireInteger("graceMs", graceMs, { min: 0, max: MAX_GRACE_MS });
    if (this.#closeReason === undefined) {
      this.#closeReason = reason;
      this.#limit = options.limit;
    }
    this.#frozen = undefined;
    const report = await this.#parts.channel.close({ graceMs: force ? 0 : graceMs, firstSignal });
    await this.#parts.store.flush();
    this.#closed.resolve();
    return report;
  }

  /** `to: "foreground"` sends to the group that also receives the terminal's keys. */
  async signal(name: NodeJS.Signals, to: SignalTarget): Promise<void> {
    const { id, channel } = this.#parts;
    if (constants.signals[name] === undefined) {
      throw new LimpetError(
        "BAD_OPTION",
        `name must be the name of a signal (got ${JSON.stringify(name)}). Pass one such as "SIGINT".`,
      );
    }
    if (this.phase !== "exited") this.requireAlive("signal");
    if (await channel.signal(name, to)) return;
    throw new LimpetError(
      "SESSION_ENDED",
      `Session ${id} has no process left that could receive ${name}. Start a new session.`,
    );
  }

  /** `what` is a verb that completes "Cannot … session 1". */
  requireAlive(what: string): void {
    const { id } = this.#parts;
    if (this.#exit) {
      const how = this.#howItEnded(this.#exit);
      throw new LimpetError("SESSION_ENDED", `Cannot ${what} session ${id}: its program ${how}. Start a new session.`);
    }
    if (this.#closeReason) {
      throw new LimpetError("SESSION_CLOSING", `Cannot ${what} session ${id}: it is closing. Start a new session.`);
    }
  }

  #howItEnded(exit: Exit): string {
    if (this.#parts.isLost) return "was lost with its host";
    const reason = this.#closeReason;
    const isIdle = reason !== undefined && reason !== "asked" && reason !== "limit";
    return describeExit(exit) + (isIdle ? ", after the session was closed as idle" : "");
  }
}
