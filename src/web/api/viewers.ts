/**
 * The sizes that pages have lent to sessions. When a page is gone, its size is taken back; a page whose stream broke
 * has some time to reconnect.
 */
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { SessionService } from "../../service/session-service.ts";

interface Viewer {
  streams: number;
  /** The sessions that have its size. */
  readonly keys: Set<string>;
  timer?: NodeJS.Timeout;
}

/** As long as a browser takes to open a stream again. */
const RETURN_MS = 5_000;

export class Viewers {
  readonly #sessions: SessionService;
  readonly #viewers = new Map<string, Viewer>();
  readonly #returnMs: number;

  constructor(sessions: SessionService, returnMs: number = RETURN_MS) {
    this.#sessions = sessions;
    this.#returnMs = returnMs;
  }

  async resize(name: string, key: string, size: TerminalSize | null): Promise<void> {
    const viewer = this.#of(name);
    if (size) viewer.keys.add(key);
    try {
      await this.#sessions.lendSize(key, { viewer: lender(name), size });
      if (!size) viewer.keys.delete(key);
    } finally {
      this.#leaveLater(name, viewer);
    }
  }

  /** Passes a page's stream on; when it has ended, the page may be gone. */
  async *during<T>(name: string | null, stream: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    if (name === null) return yield* stream;
    const viewer = this.#of(name);
    viewer.streams += 1;
    clearTimeout(viewer.timer);
    try {
      yield* stream;
    } finally {
      viewer.streams -= 1;
      this.#leaveLater(name, viewer);
    }
  }

  #of(name: string): Viewer {
    const viewer = this.#viewers.get(name) ?? { streams: 0, keys: new Set<string>() };
    this.#viewers.set(name, viewer);
    return viewer;
  }

  #leaveLater(name: string, viewer: Viewer): void {
    clearTimeout(viewer.timer);
    if (viewer.streams > 0) return;
    viewer.timer = setTimeout(() => {
      this.#viewers.delete(name);
      // A session that is gone has no size to give back.
      for (const key of viewer.keys)
        void this.#sessions.lendSize(key, { viewer: lender(name), size: null }).catch(() => undefined);
    }, this.#returnMs).unref();
  }
}

function lender(name: string): string {
  return `web ${name}`;
}
