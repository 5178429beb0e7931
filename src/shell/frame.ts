/** One command in a shell, from the moment it is typed until the shell is ready for the next. */
import type { Cursor } from "../base/cursor.ts";
import { type Deferred, deferred } from "../base/deferred.ts";
import type { ProcessMark } from "../linux/process-mark.ts";
import { endOf, type FrameEvent, type FrameState, isAtWork, nextState, pastOf } from "./frame-state.ts";
import type { EndMark } from "./mark.ts";

export class Frame {
  readonly startedMs: number = performance.now();
  /** What was running before it. */
  readonly processes: ProcessMark;
  /** Where its output begins: where it was typed, until the shell says that it has begun. */
  from: Cursor;
  /** Where its output ends. */
  to: Cursor | undefined;
  endedMs: number | undefined;
  /** Up to where its output was handed on as it came; a character may have begun there. */
  streamed: { to: Cursor; readonly decoder: InstanceType<typeof TextDecoder> } | undefined;
  #state: FrameState;
  readonly #begun: Deferred<void> = deferred<void>();
  readonly #done: Deferred<void> = deferred<void>();

  constructor(state: FrameState, from: Cursor, processes: ProcessMark) {
    this.#state = state;
    this.from = from;
    this.processes = processes;
  }

  get state(): FrameState {
    return this.#state;
  }

  /** The shell says that it has begun, or will not begin any more. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** The shell is ready again, or gone. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  get isDone(): boolean {
    return this.#state.phase === "over";
  }

  get hasStarted(): boolean {
    return pastOf(this.#state).hasStarted;
  }

  get isInterrupted(): boolean {
    return pastOf(this.#state).isInterrupted;
  }

  get end(): EndMark | undefined {
    return endOf(this.#state);
  }

  /** It may still need its user. Otherwise a shell that reads only waits for us. */
  get isAtWork(): boolean {
    return isAtWork(this.#state);
  }

  /** False where the event meant nothing to it. */
  happen(event: FrameEvent): boolean {
    const before = this.#state;
    this.#state = nextState(before, event);
    if (this.hasStarted || this.isDone) this.#begun.resolve();
    if (this.isDone) this.#done.resolve();
    return this.#state !== before;
  }

  /** False where it had begun before. */
  start(from: Cursor): boolean {
    if (!this.happen({ type: "startMark" })) return false;
    this.from = from;
    // Whoever was about to ask for its end was too early.
    this.to = undefined;
    this.endedMs = undefined;
    return true;
  }

  /** What follows is nothing of its own; the first time counts. */
  closeOutput(to: Cursor): void {
    this.to ??= to;
    this.endedMs ??= performance.now();
  }
}
