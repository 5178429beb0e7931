/** One command in a shell, from the moment it is typed until the shell is ready for the next. */
import { type Deferred, deferred } from "../base/deferred.ts";
import type { ProcessMark } from "../pty/process-mark.ts";
import type { Cursor } from "../session/journal.ts";
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
  /** All of it was typed. */
  isTyped = false;
  hasStarted = false;
  /** Up to where its output was handed on as it came; a character may have begun there. */
  streamed: { to: Cursor; readonly decoder: InstanceType<typeof TextDecoder> } | undefined;
  end: EndMark | undefined;
  /** A prompt came without an end before it. */
  isThrownBack = false;
  /** It was typed once more, for it had not begun. */
  isSecondTry = false;
  /** Somebody has interrupted it. */
  isInterrupted = false;
  /** Its end was lost, and the shell is being asked for its state. */
  isAsking = false;
  /** How often it was asked. */
  asks = 0;
  isDone = false;
  #isCutShort = false;
  readonly #begun: Deferred<void> = deferred<void>();
  readonly #done: Deferred<void> = deferred<void>();

  constructor(from: Cursor, processes: ProcessMark) {
    this.from = from;
    this.processes = processes;
  }

  /** The shell says that it has begun, or will not begin any more. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** The shell is ready again, or gone. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /** It may still wait for its user; otherwise a shell that reads only waits for us. */
  get isAtWork(): boolean {
    return !this.isDone && this.end === undefined && !this.isAsking && !this.isThrownBack;
  }

  /** The shell is back and has never seen it: somebody else has read it off the terminal. */
  get isTaken(): boolean {
    return this.isDone && this.isTyped && !this.hasStarted && !this.isInterrupted && !this.#isCutShort;
  }

  start(from: Cursor): void {
    this.hasStarted = true;
    this.from = from;
    // Whoever was about to ask for its end was too early.
    this.isAsking = false;
    this.asks = 0;
    this.isThrownBack = false;
    this.to = undefined;
    this.endedMs = undefined;
    this.#begun.resolve();
  }

  /** The shell is gone. */
  cutShort(): void {
    this.#isCutShort = true;
    this.finish();
  }

  finish(): void {
    this.isDone = true;
    this.#begun.resolve();
    this.#done.resolve();
  }
}
