/** Checks from time to time whether shells have been idle for long without their client, while there are any. */
import type { Alarm } from "../base/async/alarm.ts";

export interface LeftShellsOptions {
  readonly afterMs: number;
  readonly alarm: Alarm;
  /** Ends those that are due. Resolves with whether others are left. */
  readonly endLeft: (afterMs: number) => Promise<boolean>;
}

/** The interval of the checks, as a fraction of the time after which shells end. */
const CHECK_PART = 1 / 10;

export class LeftShells {
  readonly #options: LeftShellsOptions;
  #cancel: (() => void) | undefined;

  constructor(options: LeftShellsOptions) {
    this.#options = options;
  }

  /** Call this when a client has gone. */
  restart(): void {
    this.#cancel ??= this.#check();
  }

  stop(): void {
    this.#cancel?.();
  }

  #check(): () => void {
    const { afterMs, alarm, endLeft } = this.#options;
    return alarm(Math.max(1, Math.ceil(afterMs * CHECK_PART)), () => {
      this.#cancel = undefined;
      void endLeft(afterMs).then(
        (areLeft) => (areLeft ? this.restart() : undefined),
        () => undefined,
      );
    });
  }
}
