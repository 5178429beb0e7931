/** From a session's start to its end: its phase, how its program ended, how it is closed, and what it left running. */
import { constants } from "node:os";
import { deferred } from "../base/deferred.ts";
import { describeExit, type Exit } from "../base/exit.ts";
import { DEFAULT_GRACE_MS, MAX_GRACE_MS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { OutputStore } from "../journal/output-store.ts";
import type { EndReport } from "../linux/kill-process-tree.ts";
import type { RunningProcess } from "../transport/probe.ts";
import type { Channel, SignalTarget } from "../transport/transport.ts";

/** How hard and why to close. */
export interface CloseOptions {
  /** Time between hang-up and kill, 0 to 60,000; TERM comes after a quarter of it. Default 1,000. */
  readonly graceMs?: number;
  /** Kill at once, whatever `graceMs` says. Default false. */
  readonly force?: boolean;
  /** Why; the first reason given stays. Default "asked". */
  readonly reason?: CloseReason;
}

/** `asked`: by a caller. `idle`: nobody had touched the session for long. */
export type CloseReason = "asked" | "idle";

interface LifetimeParts {
  readonly id: number;
  readonly isLost: boolean;
  readonly store: OutputStore;
  readonly channel: Channel;
}

/**
 * `running`: the program lives. `closing`: we are ending it. `exited`: the program is gone, but something that it
 * started keeps its terminal and may still write. `ended`: no output can follow.
 */
export type Phase = "running" | "closing" | "exited" | "ended";

interface PhaseFacts {
  readonly exit: Exit | undefined;
  readonly isOutputEnded: boolean;
  readonly isCloseAsked: boolean;
}

/** Pure. Exit and the end of output come in any order: a piped program may close its output and live on. */
export function phaseOf({ exit, isOutputEnded, isCloseAsked }: PhaseFacts): Phase {
  if (exit && isOutputEnded) return "ended";
  if (isCloseAsked) return "closing";
  return exit ? "exited" : "running";
}

export class Lifetime {
  readonly #parts: LifetimeParts;
  #exit: Exit | undefined;
  #closeReason: CloseReason | undefined;
  #hasNothingLeft = false;
  readonly #closed = deferred<void>();

  constructor(parts: LifetimeParts) {
    this.#parts = parts;
    void parts.channel.exited.then((exit) => {
      this.#exit = exit;
      parts.store.changes.announce();
    });
  }

  get exit(): Exit | undefined {
    return this.#exit;
  }

  get closeReason(): CloseReason | undefined {
    return this.#closeReason;
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

  async leftovers(): Promise<readonly RunningProcess[]> {
    if (!this.#exit || this.#hasNothingLeft) return [];
    const left = (await this.#parts.channel.probe?.running()) ?? [];
    // Nobody is there who could start anything, so this need never be asked again.
    this.#hasNothingLeft = left.length === 0;
    return left;
  }

  async close({ graceMs = DEFAULT_GRACE_MS, force = false, reason = "asked" }: CloseOptions): Promise<EndReport> {
    requireInteger("graceMs", graceMs, { min: 0, max: MAX_GRACE_MS });
    this.#closeReason ??= reason;
    const report = await this.#parts.channel.close({ graceMs: force ? 0 : graceMs });
    await this.#parts.store.flush();
    this.#closed.resolve();
    return report;
  }

  /** `to`: the group in the foreground gets what the terminal's own keys would send. */
  async signal(name: NodeJS.Signals, to: SignalTarget): Promise<void> {
    const { id, channel } = this.#parts;
    if (constants.signals[name] === undefined) {
      throw new LimpetError("BAD_OPTION", `There is no signal ${JSON.stringify(name)}. Give a name such as "SIGINT".`);
    }
    if (this.phase !== "exited") this.requireAlive("signal");
    if (await channel.signal(name, to)) return;
    throw new LimpetError(
      "SESSION_ENDED",
      `Session ${id} has nothing left that could get ${name}. Start a new session.`,
    );
  }

  /** `what`: to follow "Cannot", and be followed by the session. */
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
    const why = this.#closeReason === "idle" ? ", closed because nobody had used it for long" : "";
    return describeExit(exit) + why;
  }
}
