/** One command in a shell, from typing until its end. */

import { type Deferred, deferred } from "../../base/async/deferred.ts";
import type { Cursor } from "../../base/cursor.ts";
import { OomWatch } from "../../linux/processes/oom-watch.ts";
import type { ProcessMark } from "../../linux/processes/process-mark.ts";
import { endOf, type FrameEvent, type FrameState, isAtWork, isOver, nextState, pastOf, QUERY } from "./frame-state.ts";
import type { EndMark } from "./mark.ts";

export class Frame {
  readonly startedMs: number = performance.now();
  /** The processes that ran before it. */
  readonly processes: ProcessMark;
  /** The cursor at which its output starts: where it was typed, until the shell reports the start. */
  from: Cursor;
  /** The cursor at which its output ends. */
  to: Cursor | undefined;
  endedMs: number | undefined;
  /** How much of its output was streamed to the caller. The decoder may hold part of a character. */
  streamed: { to: Cursor; readonly decoder: InstanceType<typeof TextDecoder> } | undefined;
  /** No command is run: limpet only asks the shell for its state. */
  readonly isQuery: boolean;
  /** The kernel killed a process for lack of memory while it ran, and its exit code looks like it. */
  outOfMemory = false;
  /** It was interrupted, another process still reads the terminal, and limpet is about to end that process. */
  isEndingRivals = false;
  #state: FrameState;
  readonly #memory = new OomWatch();
  readonly #started: Deferred<void> = deferred<void>();
  readonly #done: Deferred<void> = deferred<void>();

  constructor(state: FrameState, from: Cursor, processes: ProcessMark) {
    this.#state = state;
    this.isQuery = state === QUERY;
    this.from = from;
    this.processes = processes;
  }

  get state(): FrameState {
    return this.#state;
  }

  /** Resolves when the shell reports the start, or when the command can no longer start. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves when the shell has reported the end, or is gone. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  get isDone(): boolean {
    return isOver(this.#state);
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

  /** The command may still need its user. Otherwise, a shell that reads only waits for limpet. */
  get isAtWork(): boolean {
    return isAtWork(this.#state);
  }

  /** False if the event changed nothing. */
  dispatch(event: FrameEvent): boolean {
    const before = this.#state;
    this.#state = nextState(before, event);
    this.outOfMemory ||= !isOver(before) && this.isDone && this.#memory.explainsCode(this.end?.status ?? null);
    if (this.hasStarted || this.isDone) this.#started.resolve();
    if (this.isDone) this.#done.resolve();
    return this.#state !== before;
  }

  /** False if it had started before. */
  start(from: Cursor): boolean {
    if (!this.dispatch({ type: "startMark" })) return false;
    this.from = from;
    // A recovery that closed the output was too early.
    this.to = undefined;
    this.endedMs = undefined;
    return true;
  }

  /** Output after `to` does not belong to the command. Only the first call counts. */
  closeOutput(to: Cursor): void {
    this.to ??= to;
    this.endedMs ??= performance.now();
  }
}
