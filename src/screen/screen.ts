/**
 * The screen of a session: what a person in front of the terminal would see.
 *
 * Nothing is drawn until somebody looks. From then on output is drawn as it comes, until nobody has looked for long;
 * the next look draws anew from what is kept.
 */
import { MAX_SCROLLBACK_LINES, SCREEN_KEEP_MS, SCREEN_SCROLLBACK_LINES } from "../base/limits.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { DrawingModes, TerminalModes } from "../base/terminal-modes.ts";
import { Changes } from "../journal/changes.ts";
import type { Session } from "../session/session.ts";
import { Drawing } from "./drawing.ts";
import type { Snapshot } from "./snapshot.ts";
import { type SnapshotOptions, takeSnapshot } from "./take-snapshot.ts";

const screens = new WeakMap<Session, Screen>();

/** The screen of a session: one, however often it is asked for. */
export function screenOf(session: Session): Screen {
  const known = screens.get(session);
  if (known) return known;
  const screen = new Screen(session);
  screens.set(session, screen);
  return screen;
}

/** All that another terminal needs to go on from here. */
export interface ScreenState {
  readonly snapshot: Snapshot;
  readonly modes: TerminalModes & DrawingModes;
}

/** What a session shows. Made by `screenOf`; readable also after the session's end. */
export class Screen {
  readonly #session: Session;
  readonly #changes = new Changes();
  #drawing: Drawing | undefined;
  #following: AbortController | undefined;
  #keepTimer: NodeJS.Timeout | undefined;
  #lastLookMs = 0;
  #watchers = 0;
  /** One at a time draws or looks. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: Session) {
    this.#session = session;
  }

  /** The screen with all output that has come so far. */
  async snapshot(options: SnapshotOptions = {}): Promise<Snapshot> {
    return await this.#take(options, (drawing) => takeSnapshot(drawing, options));
  }

  /** The same, and what the program has asked of its terminal up to there. */
  async state(options: SnapshotOptions = {}): Promise<ScreenState> {
    return await this.#take(options, (drawing) => ({
      snapshot: takeSnapshot(drawing, options),
      modes: { ...drawing.terminal.modes, ...drawing.terminal.drawingModes },
    }));
  }

  /** Whether the screen takes memory now. */
  get isLive(): boolean {
    return this.#drawing !== undefined;
  }

  /** Gives what it holds free at once; the next look draws anew. */
  release(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    this.#following?.abort();
    this.#following = undefined;
    this.#drawing?.terminal.dispose();
    this.#drawing = undefined;
  }

  /** Calls `work` with a function that waits for something new on the screen; until it is done, the screen stays live. */
  async watch<T>(work: (changed: Changes["next"]) => Promise<T>): Promise<T> {
    this.#watchers++;
    try {
      return await work((options) => this.#changes.next(options));
    } finally {
      this.#watchers--;
    }
  }

  async #look<T>(take: (drawing: Drawing) => T): Promise<T> {
    this.#lastLookMs = performance.now();
    return await this.#exclusively(async () => {
      const drawing = await this.#catchUp();
      return take(drawing);
    });
  }

  async #catchUp(): Promise<Drawing> {
    const drawing = this.#drawing ?? new Drawing(this.#session, { scrollback: SCREEN_SCROLLBACK_LINES });
    this.#drawing = drawing;
    await drawing.catchUp();
    if (this.#drawing === drawing) this.#keep();
    return drawing;
  }

  /** For more lines than a live screen has, all that is kept is drawn anew. */
  async #take<T>({ scrollback = 0 }: SnapshotOptions, take: (drawing: Drawing) => T): Promise<T> {
    requireInteger("scrollback", scrollback, { min: 0, max: MAX_SCROLLBACK_LINES });
    if (scrollback <= SCREEN_SCROLLBACK_LINES) return await this.#look(take);
    const drawing = new Drawing(this.#session, { scrollback });
    try {
      await drawing.catchUp();
      return take(drawing);
    } finally {
      drawing.terminal.dispose();
    }
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  #keep(): void {
    this.#following ??= this.#startFollowing();
    this.#keepTimer ??= setTimeout(() => this.#giveUpIfUnseen(), SCREEN_KEEP_MS).unref();
  }

  #giveUpIfUnseen(): void {
    this.#keepTimer = undefined;
    const unseenMs = performance.now() - this.#lastLookMs;
    if (this.#watchers === 0 && unseenMs >= SCREEN_KEEP_MS) {
      void this.#exclusively(async () => this.release());
      return;
    }
    const inMs = this.#watchers > 0 ? SCREEN_KEEP_MS : SCREEN_KEEP_MS - unseenMs;
    this.#keepTimer = setTimeout(() => this.#giveUpIfUnseen(), inMs).unref();
  }

  #startFollowing(): AbortController {
    const stop = new AbortController();
    // Whatever ends the following, the next look starts from what is kept.
    void this.#follow(stop.signal).catch(() => undefined);
    void this.#session.exited.then(() => this.#changes.announce());
    return stop;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const from = this.#drawing?.cursor ?? 0;
    for await (const page of this.#session.output({ from, signal })) {
      await this.#exclusively(async () => {
        if (!signal.aborted && (this.#drawing?.cursor ?? page.next) < page.next) await this.#drawing?.catchUp();
      });
      this.#changes.announce();
    }
    this.#changes.announce();
  }
}
