/**
 * Work that a host repeats with NATS: at its time, when something has changed, and from the beginning when NATS is
 * back, which may be another server or one that has forgotten everything. One round runs at a time.
 */
import type { Bus } from "./bus.ts";

export interface RoundsOptions {
  /** What the work is, for messages. */
  readonly what: string;
  readonly everyMs: number;
  /** One round. If it rejects, the next one starts over. */
  readonly work: () => Promise<void>;
  /** Called before a round if what was written before may be gone. */
  readonly startOver: () => void;
  /** Called with each problem once. */
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
  /** What earlier rounds have written may be gone. */
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

  /** Something has changed: one round follows for all changes of a moment. */
  runSoon(): void {
    if (this.#phase !== "open") return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.runAfresh();
    }, SOON_MS).unref();
  }

  /** Only who asks gets a round from now on. */
  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#stopBack();
    if (this.#phase === "open") this.#phase = "stopped";
  }

  /** Resolves when the last round is over. */
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
