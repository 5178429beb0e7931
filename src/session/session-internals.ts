/**
 * The parts of a session, for modules that build on sessions: shell, screen, service. Not part of the library's API.
 */
import type { Exit } from "../base/exit.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { requireSize, type TerminalSize } from "../base/terminal-size.ts";
import type { OutputStore } from "../journal/output-store.ts";
import type { ListeningPort } from "../linux/files/list-listening.ts";
import type { Activity } from "../linux/processes/read-activity.ts";
import { type InputVerdict, judgeInputState, judgeUnobserved } from "../probe/judge-input-state.ts";
import { QUERY_TAIL_BYTES, queriesAtEnd, type TerminalQuery } from "../text/escape/terminal-queries.ts";
import type { Channel } from "../transport/transport.ts";
import { Finishes } from "./finishes.ts";
import { SessionInput } from "./input/session-input.ts";
import { Lifetime } from "./lifetime.ts";
import type { AbandonedModes } from "./modes/abandoned-modes.ts";
import type { TerminalModeTracker } from "./modes/terminal-mode-tracker.ts";
import type { Session } from "./session.ts";
import type { AnswerPace } from "./wait/readiness/answer-pace.ts";
import { InputWatch } from "./wait/readiness/input-watch.ts";
import { SearchedParts } from "./wait/searched-parts.ts";
import type { Waitable } from "./wait/wait-for.ts";
import { WaitPosition } from "./wait/wait-position.ts";

interface InternalParts {
  readonly id: number;
  readonly tty: boolean;
  readonly size: TerminalSize;
  readonly isLost: boolean;
  readonly store: OutputStore;
  readonly modeTracker: TerminalModeTracker;
  readonly abandonedModes: AbandonedModes;
  readonly channel: Channel;
  readonly pace: AnswerPace;
  /** The last directory of a shell that another process started. */
  readonly directory?: string | undefined;
}

const NO_ACTIVITY: Activity = { workMs: 0, isRunning: false, posture: "", children: [] };

export class SessionInternals implements Waitable {
  readonly store: OutputStore;
  /** Reads the output before it is in the store. */
  readonly modeTracker: TerminalModeTracker;
  readonly abandonedModes: AbandonedModes;
  /** What connects the session to its program. */
  readonly channel: Channel;
  readonly lifetime: Lifetime;
  readonly input: SessionInput;
  /** The commands that have finished, if the session is a prepared shell. */
  readonly finishes: Finishes;
  readonly position: WaitPosition = new WaitPosition();
  readonly searched: SearchedParts = new SearchedParts();
  readonly inputWatch: InputWatch;
  /** limpet answers the queries of the program to its terminal when that is safe. */
  areQueriesAnswered: boolean = false;
  /** Whether the output is copied to a fleet. Undefined: the host decides. */
  isCopied: boolean | undefined;
  /** Called when the session has another name. There is one listener. */
  onRenamed: () => void = () => undefined;
  readonly #id: number;
  #size: TerminalSize;

  constructor(parts: InternalParts) {
    this.#id = parts.id;
    this.#size = parts.size;
    this.store = parts.store;
    this.modeTracker = parts.modeTracker;
    this.abandonedModes = parts.abandonedModes;
    this.channel = parts.channel;
    this.finishes = new Finishes(parts.directory);
    this.lifetime = new Lifetime(parts);
    const beforeInput = (bytes: Uint8Array) => parts.abandonedModes.beforeInput(this.channel.probe, bytes);
    this.input = new SessionInput({ ...parts, lifetime: this.lifetime, beforeInput });
    const { pace, channel } = parts;
    this.input.onAnyTyped(({ bytes, cursor }) => pace.noteTyped(bytes, cursor, performance.now()));
    const measure = (pid: number) => channel.probe?.activityOf(pid) ?? NO_ACTIVITY;
    this.inputWatch = new InputWatch({ ...parts, measure });
  }

  /** Call when no program needs the modes any more, for example because the command of a shell has ended. */
  resetModes(): void {
    if (this.modeTracker.isChanged) resetModes(this.store, this.modeTracker);
  }

  /** The size of the terminal, as last set by limpet. */
  get size(): TerminalSize {
    return this.#size;
  }

  resize(size: TerminalSize): void {
    const { store, channel } = this;
    this.lifetime.requireAlive("resize");
    requireSize(size);
    if (store.size === undefined) {
      throw new LimpetError("NO_TERMINAL", `Session ${this.#id} has no terminal to resize. Open it with tty: true.`);
    }
    channel.resize(size);
    this.#size = size;
    store.size = size;
    store.timeline.noteSize(store.end, size);
    store.changes.announce();
  }

  get exit(): Exit | undefined {
    return this.lifetime.exit;
  }

  /** A prepared shell at its prompt that runs no command, of limpet or of a person. */
  get isIdle(): boolean {
    if (this.exit || !this.finishes.isBetween) return false;
    return this.channel.probe?.isProgramInForeground() ?? true;
  }

  /** The name of the program that has the terminal, if that is not the session's own; null otherwise. */
  get foreground(): string | null {
    return this.exit ? null : (this.channel.probe?.foreground()?.name ?? null);
  }

  get lastInputMs(): number {
    return this.input.lastMs;
  }

  get hasProbe(): boolean {
    return this.channel.probe !== undefined;
  }

  /** The queries to the terminal at the very end of the output. They are not answered yet. */
  pendingQueries(): readonly TerminalQuery[] {
    const from = Math.max(0, this.store.end - QUERY_TAIL_BYTES);
    return queriesAtEnd(this.store.readMemory({ from, maxBytes: QUERY_TAIL_BYTES }).bytes);
  }

  observeInput(): InputVerdict {
    const verdict = this.#observe();
    const isReading = verdict.basis.kind === "reader" || verdict.basis.kind === "asks-terminal";
    if (!this.areQueriesAnswered || !isReading) return verdict;
    // The program waits for the answer of its terminal, which is about to arrive, not for input of a caller.
    const isRecent = performance.now() - this.store.lastMs < ANSWER_MS;
    return isRecent && this.pendingQueries().length > 0 ? judgeUnobserved("input-queued") : verdict;
  }

  #observe(): InputVerdict {
    const { pid, probe } = this.channel;
    if (this.input.queuedBytes > 0) return judgeUnobserved("input-queued");
    if (!probe) return judgeUnobserved("no-probe");
    const observation = probe.observe();
    if (observation?.isArriving) return judgeUnobserved("arriving");
    const reader = observation?.reader;
    if (typeof reader === "object" && this.store.readableEnd < this.store.end) {
      // The program waits for input, so no output follows, and all output can be made readable.
      this.store.settle();
      return judgeUnobserved("moved");
    }
    const isReady = this.finishes.isBetween && typeof reader === "object" && reader.pid === pid;
    if (isReady) return judgeUnobserved("between-commands");
    return this.inputWatch.consider(judgeInputState(observation));
  }

  async searchReaders(options?: { readonly maxAgeMs?: number }): Promise<void> {
    await this.channel.probe?.searchReaders(options);
  }

  async listening(): Promise<readonly ListeningPort[]> {
    return (await this.channel.probe?.listening()) ?? [];
  }
}

/** An answer takes milliseconds, and a little longer on a busy machine. */
const ANSWER_MS = 500;

/**
 * Resets the terminal to its main screen and to the default modes of keys. The sequences become part of the output, so
 * that every reader, screen and recording sees them at the same cursor.
 */
export function resetModes(store: OutputStore, modeTracker: TerminalModeTracker): void {
  const bytes = Buffer.from(modeTracker.undo);
  modeTracker.push(bytes);
  store.append(bytes, "terminal");
}

const INTERNALS = new WeakMap<Session, SessionInternals>();

export function internalsOf(session: Session): SessionInternals {
  const internals = INTERNALS.get(session);
  if (!internals) throw new TypeError("not a session of this process");
  return internals;
}

/** Call once, when the session is created. */
export function bindInternals(session: Session, internals: SessionInternals): void {
  INTERNALS.set(session, internals);
}
