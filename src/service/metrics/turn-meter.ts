/** Counts what callers ask of sessions: how long turns take, and what is refused and why. */
import { Histogram } from "../../base/format/histogram.ts";
import type { MetricFamily } from "../../base/format/open-metrics.ts";
import { LimpetError, type LimpetErrorCode } from "../../base/limpet-error.ts";
import type { SessionService } from "../session-service.ts";
import type { TurnAnswer } from "../turn/turn-answer.ts";
import type { TurnRequest } from "../turn/turn-request.ts";

/** From an answer of a REPL to a build that a call waits for. */
const TURN_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export class TurnMeter {
  readonly #turns = new Histogram(TURN_SECONDS);
  readonly #refusals = new Map<string, number>();
  /** An error may be reported where it is thrown and where it is answered. */
  readonly #noted = new WeakSet<LimpetError>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The same service, whose turns and refusals are counted. */
  over(service: SessionService): SessionService {
    return new Proxy(service, {
      get: (target, name) => {
        if (name === "turn") return (request: TurnRequest) => this.#measured(target, request);
        const found: unknown = Reflect.get(target, name, target);
        return typeof found === "function" ? this.#noting(found.bind(target)) : found;
      },
    });
  }

  /** Counts a refusal, once for each error. What is not a `LimpetError` is a call whose caller has gone. */
  readonly noteRefusal = (refused: unknown): void => {
    if (!(refused instanceof LimpetError) || this.#noted.has(refused)) return;
    this.#noted.add(refused);
    this.countRefusal(refused.code);
  };

  readonly countRefusal = (code: LimpetErrorCode): void => {
    this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + 1);
  };

  families(): readonly MetricFamily[] {
    return [
      this.#turns.family({
        name: "limpet_turn_seconds",
        help: "How long calls took that start, type or read, including their waits.",
        label: "kind",
      }),
      {
        name: "limpet_refusals",
        type: "counter",
        help: "Calls that were refused or failed, by the code of the error.",
        samples: [...this.#refusals].map(([code, value]) => ({ suffix: "_total", labels: { code }, value })),
      },
    ];
  }

  async #measured(service: SessionService, request: TurnRequest): Promise<TurnAnswer> {
    const startedMs = this.#nowMs();
    try {
      return await service.turn(request);
    } catch (error) {
      this.noteRefusal(error);
      throw error;
    } finally {
      this.#turns.add(request.on.kind, (this.#nowMs() - startedMs) / 1000);
    }
  }

  #noting<A extends readonly unknown[]>(call: (...args: A) => unknown): (...args: A) => unknown {
    return (...args) => {
      const result = call(...args);
      if (result instanceof Promise) result.catch(this.noteRefusal);
      return result;
    };
  }
}
