/** Tells when a host has been of no use to anybody for long. */
import type { Alarm } from "./alarm.ts";

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

  /** Somebody came or went, or a session has ended: the time begins anew. */
  restart(): void {
    const { idleMs, isInUse, onIdle, alarm } = this.#options;
    this.#cancel();
    this.#cancel = alarm(idleMs, () => (isInUse() ? this.restart() : onIdle()));
  }

  stop(): void {
    this.#cancel();
  }
}
