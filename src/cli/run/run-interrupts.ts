/** What ends a program that `limpet run` waits for before its own end: a time limit, a signal to us, a reader that has gone. */
import { constants } from "node:os";
import type { SessionName, SessionService } from "../../service/session-service.ts";
import { RUN_TIMED_OUT, SIGNAL_BASE } from "../exit-codes.ts";

const CTRL_C = "\x03";

interface SignalOptions {
  /** Ctrl+C is the program's, as it would be at a terminal. Without one there is no such key, and SIGINT ends it. */
  readonly hasTerminal: boolean;
}

export class RunInterrupts {
  readonly #sessions: SessionService;
  readonly #started: Promise<SessionName>;
  readonly #undo: (() => void)[] = [];
  #code: number | undefined;

  /** What comes before the program has started ends it as soon as it has. */
  constructor(sessions: SessionService, started: Promise<SessionName>) {
    this.#sessions = sessions;
    this.#started = started;
  }

  /** What to exit with in place of the program's code; undefined as long as nothing has ended it. */
  get code(): number | undefined {
    return this.#code;
  }

  after(timeoutMs: number | undefined): void {
    if (timeoutMs === undefined) return;
    const timer = setTimeout(() => this.#end(RUN_TIMED_OUT), timeoutMs);
    this.#undo.push(() => clearTimeout(timer));
  }

  /** What ends us for good ends the program, too, and then us. The second time it ends us at once. */
  onSignals({ hasTerminal }: SignalOptions): void {
    const onEnd = (signal: NodeJS.Signals) => this.#end(SIGNAL_BASE + constants.signals[signal]);
    const deadly = ["SIGTERM", "SIGHUP", ...(hasTerminal ? [] : (["SIGINT"] as const))] as const;
    for (const signal of deadly) process.once(signal, onEnd);
    this.#undo.push(() => {
      for (const signal of deadly) process.off(signal, onEnd);
    });
    if (!hasTerminal) return;
    const onInterrupt = () => this.#do((id) => this.#sessions.write(id, CTRL_C, { by: "person" }));
    process.on("SIGINT", onInterrupt);
    this.#undo.push(() => process.off("SIGINT", onInterrupt));
  }

  /** As with `| head`: a program that wrote there itself would get a SIGPIPE. */
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
    this.#do((id) => this.#sessions.close(id, { force: false }));
  }

  /** What fails here fails for whoever waits for the program's end, too, and is told there. */
  #do(work: (id: number) => Promise<unknown>): void {
    void this.#started.then(({ id }) => work(id)).catch(() => undefined);
  }
}
