/** What ends the program of `limpet run` early: a time limit, a signal to limpet, a closed pipe. */
import { constants } from "node:os";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey, SessionName } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { RUN_TIMED_OUT, SIGNAL_BASE } from "../exit-codes.ts";

const CTRL_C = "\x03";

interface SignalOptions {
  /** With a terminal, SIGINT becomes Ctrl+C for the program. Without one, SIGINT ends the program. */
  readonly hasTerminal: boolean;
}

export class RunInterrupts {
  readonly #sessions: SessionService;
  readonly #started: Promise<SessionName>;
  readonly #undo: (() => void)[] = [];
  #code: number | undefined;

  /** An interrupt before the program has started ends it right after its start. */
  constructor(sessions: SessionService, started: Promise<SessionName>) {
    this.#sessions = sessions;
    this.#started = started;
  }

  /** The exit code to use in place of the program's; undefined if nothing interrupted it. */
  get code(): number | undefined {
    return this.#code;
  }

  after(timeoutMs: number | undefined): void {
    if (timeoutMs === undefined) return;
    const timer = setTimeout(() => this.#end(RUN_TIMED_OUT), timeoutMs);
    this.#undo.push(() => clearTimeout(timer));
  }

  /** A fatal signal ends the program first, then limpet. The second one ends limpet at once. */
  onSignals({ hasTerminal }: SignalOptions): void {
    const onEnd = (signal: NodeJS.Signals) => this.#end(SIGNAL_BASE + constants.signals[signal]);
    const deadly = ["SIGTERM", "SIGHUP", ...(hasTerminal ? [] : (["SIGINT"] as const))] as const;
    for (const signal of deadly) process.once(signal, onEnd);
    this.#undo.push(() => {
      for (const signal of deadly) process.off(signal, onEnd);
    });
    if (!hasTerminal) return;
    const onInterrupt = () => this.#do((key) => this.#sessions.write(key, CTRL_C, { by: "person" }));
    process.on("SIGINT", onInterrupt);
    this.#undo.push(() => process.off("SIGINT", onInterrupt));
  }

  /** As with `| head`: the program itself would get SIGPIPE. */
  onReaderGone(): void {
    const onError = () => this.#end(SIGNAL_BASE + constants.signals.SIGPIPE);
    process.stdout.once("error", onError);
    this.#undo.push(() => process.stdout.off("error", onError));
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  #end(code: number): void {
    this.#code ??= code;
    this.#do((key) => this.#sessions.close(key, { force: false, keepOutput: true }));
  }

  /** Errors are ignored here: waiting for the program's end reports them. */
  #do(work: (key: SessionKey) => Promise<unknown>): void {
    void this.#started.then((session) => work(keyOf(session))).catch(() => undefined);
  }
}
