/**
 * Repeats work with NATS: at an interval, when something has changed, and from scratch when the connection is back,
 * because the server may be another one or may have lost everything. One round runs at a time.
 */
import type { Bus } from "./bus.ts";

export interface RoundsOptions {
  /** The name of the work, for messages. */
  readonly what: string;
  readonly everyMs: number;
  /** Runs one round. If it rejects, `startOver` is called before the next one. */
  readonly work: () => Promise<void>;
  /** Called before a round if the data of earlier rounds may be lost. */
  readonly startOver: () => void;
  /** Called with each new problem. A repeated one is reported once. */
  readonly onProblem: (text: string) => void;
}

/** Changes within this time share a round. */
const SOON_MS = 250;

export class Rounds {
  readonly #options: RoundsOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #stopBack: () => void;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #soon: NodeJS.Timeout | undefined;
  /** The data of earlier rounds may be lost. */
  #isOver = false;
  #lastProblem = "";
  #phase: "open" | "stopped" | "closed" = "open";

  constructor(bus: Pick<Bus, "onBack">, options: RoundsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.run(), options.everyMs).unref();
    this.#stopBack = bus.onBack(() => {
      this.#isOver = true;
      void this.runAfresh();
    });
  }

  /** Runs a round, or waits for the one that runs. Never rejects. */
  async run(): Promise<void> {
    this.#running ??= this.#once().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  /** Resolves after a round that started after this call. Never rejects. */
  async runAfresh(): Promise<void> {
    if (!this.#running) return await this.run();
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.run();
    });
    await this.#next;
  }

  /** Call when something has changed. Changes within a moment share one round. */
  runSoon(): void {
    if (this.#phase !== "open") return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.runAfresh();
    }, SOON_MS).unref();
  }

  /** Ends rounds by interval and by change. `run` and `runAfresh` still work. */
  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#stopBack();
    if (this.#phase === "open") this.#phase = "stopped";
  }

  /** Ends all rounds. Resolves when the running one has finished. */
  async close(): Promise<void> {
    this.stop();
    this.#phase = "closed";
    await this.#running;
  }

  async #once(): Promise<void> {
    if (this.#phase === "closed") return;
    if (this.#isOver) this.#options.startOver();
    this.#isOver = false;
    try {
      await this.#options.work();
      this.#lastProblem = "";
    } catch (error) {
      this.#isOver = true;
      this.#report(error instanceof Error ? error.message : String(error));
    }
  }

  #report(problem: string): void {
    if (this.#phase !== "closed" && problem !== this.#lastProblem)
      this.#options.onProblem(`${this.#options.what}: ${problem}`);
    this.#lastProblem = problem;
  }
}
