/** Reports that a host has not been used for a long time. */
import type { Alarm } from "../base/async/alarm.ts";

export interface IdleWatchOptions {
  readonly idleMs: number;
  readonly isInUse: () => boolean;
  readonly onIdle: () => void;
  readonly alarm: Alarm;
}

export class IdleWatch {
  readonly #options: IdleWatchOptions;
  #cancel: () => void = () => undefined;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
    this.restart();
  }

  /** Call this when a client connects or disconnects or a session ends: the time starts again. */
  restart(): void {
    const { idleMs, isInUse, onIdle, alarm } = this.#options;
    this.#cancel();
    this.#cancel = alarm(idleMs, () => (isInUse() ? this.restart() : onIdle()));
  }

  stop(): void {
    this.#cancel();
  }
}
