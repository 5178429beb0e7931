/** Tells when a host has been of no use to anybody for long. */

export interface IdleWatchOptions {
  readonly idleMs: number;
  /** Nobody calls when a session ends by itself: this is asked when the time is up. */
  readonly isInUse: () => boolean;
  readonly onIdle: () => void;
}

export class IdleWatch {
  readonly #options: IdleWatchOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
    this.restart();
  }

  /** Somebody came or went. */
  restart(): void {
    const { idleMs, isInUse, onIdle } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (isInUse() ? this.restart() : onIdle()), idleMs);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
