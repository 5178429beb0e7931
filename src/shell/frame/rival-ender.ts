/**
 * After an interrupt, ends the processes that read the terminal beside the shell: Ctrl+C ends gpg, but does not reach
 * the pinentry of its agent, which would continue to read what is typed for the shell.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Rival } from "../../probe/readers/find-rivals.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { probeOf } from "../probe-of.ts";
import type { Frame } from "./frame.ts";

/** How long a process may take to end after each signal. */
const GRACE_MS = 400;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL"] as const;
const POLL_MS = 20;
/** The helpers of an interrupted program that runs longer than this are not ended. */
const PATIENCE_MS = 2_000;
/** A process that has opened the terminal and is about to read does so within this time. */
const STARTS_WITHIN_MS = 300;
/** A helper that was asked for just before the interrupt may start after it. */
const LATE_MS = 3_000;

export class RivalEnder {
  readonly #session: Session;
  #ending: Promise<void> | undefined;
  #interruptedMs = Number.NEGATIVE_INFINITY;
  #hasSignalled = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** A process was ended since the last interrupt, and may have reset the terminal. */
  get hasSignalled(): boolean {
    return this.#hasSignalled;
  }

  /** Call after an interrupt. */
  noteInterrupt(frame: Frame | undefined): void {
    this.#interruptedMs = performance.now();
    this.#hasSignalled = false;
    this.#start(frame);
  }

  /** Call before something is typed. Resolves when none is left, or when limpet has given up. */
  async settled(): Promise<void> {
    await this.#ending;
    if (performance.now() - this.#interruptedMs > LATE_MS) return;
    this.#start(undefined);
    await this.#ending;
  }

  #start(frame: Frame | undefined): void {
    this.#ending ??= this.#end(frame).finally(() => {
      this.#ending = undefined;
      if (frame) frame.isEndingRivals = false;
    });
  }

  async #end(frame: Frame | undefined): Promise<void> {
    const session = this.#session;
    const probe = probeOf(session);
    const startedMs = performance.now();
    let [sent, sentMs] = [0, Number.NEGATIVE_INFINITY];
    if (frame) frame.isEndingRivals = probe.rivals().length > 0;
    await probe.searchReaders({ maxAgeMs: 0 });
    while (!session.exit && isWorthWaiting(probe.rivals(), performance.now() - startedMs)) {
      if (frame) frame.isEndingRivals = true;
      const signal = SIGNALS[sent];
      const isDue = probe.isProgramInForeground() && performance.now() - sentMs >= GRACE_MS;
      if (signal && isDue && (await internalsOf(session).channel.signal(signal, "rivals"))) {
        [sent, sentMs] = [sent + 1, performance.now()];
        this.#hasSignalled = true;
      }
      await sleep(POLL_MS);
    }
  }
}

function isWorthWaiting(rivals: readonly Rival[], waitedMs: number): boolean {
  const isReading = rivals.some((rival) => rival.isReading);
  return rivals.length > 0 && waitedMs < (isReading ? PATIENCE_MS : STARTS_WITHIN_MS);
}
