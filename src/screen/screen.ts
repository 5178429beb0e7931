/**
 * The screen of a session: what a person in front of the terminal would see.
 *
 * Nothing is drawn until somebody asks for a snapshot. From then on output is drawn as it comes, and the drawing takes
 * memory until nobody has asked for long, until the session is closed, or until other drawings need the room. The next
 * snapshot draws it again from the journal.
 */
import { MAX_SCROLLBACK_LINES, SCREEN_ENDED_KEEP_MS, SCREEN_KEEP_MS, SCREEN_SCROLLBACK_LINES } from "../base/limits.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { DrawingModes, TerminalModes } from "../base/terminal-modes.ts";
import { Changes } from "../journal/changes.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import { Drawing } from "./drawing/drawing.ts";
import { type LiveDrawing, liveDrawings } from "./drawing/live-drawings.ts";
import type { Snapshot } from "./snapshot.ts";
import { type SnapshotOptions, takeSnapshot } from "./take-snapshot.ts";

const screens = new WeakMap<Session, Screen>();

/** The screen of a session: always the same object. */
export function screenOf(session: Session): Screen {
  const known = screens.get(session);
  if (known) return known;
  const screen = new Screen(session);
  screens.set(session, screen);
  return screen;
}

/** Everything that another terminal needs to continue from here. */
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
  #lastReadMs = 0;
  #watchers = 0;
  /** Drawing and reading take turns. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #asLive: LiveDrawing;

  constructor(session: Session) {
    this.#session = session;
    this.#asLive = {
      cells: () => this.#cells,
      isWatched: () => this.#watchers > 0,
      evict: () => this.#releaseIf(() => this.#watchers === 0),
    };
  }

  /** The screen with all output so far. */
  async snapshot(options: SnapshotOptions = {}): Promise<Snapshot> {
    return await this.#take(options, (drawing) => takeSnapshot(drawing, options));
  }

  /** The same, and what the program has asked of its terminal so far. */
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

  /** Frees its memory at once; the next snapshot draws it again. */
  release(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    this.#following?.abort();
    this.#following = undefined;
    this.#drawing?.terminal.dispose();
    this.#drawing = undefined;
    liveDrawings.delete(this.#asLive);
  }

  /**
   * Calls `work` with a function that waits for something new on the screen; until it is done, the screen stays live.
   */
  async watch<T>(work: (changed: Changes["next"]) => Promise<T>): Promise<T> {
    this.#watchers++;
    try {
      return await work((options) => this.#changes.next(options));
    } finally {
      this.#watchers--;
      this.#releaseWhenUnread();
    }
  }

  async #read<T>(take: (drawing: Drawing) => T): Promise<T> {
    this.#lastReadMs = performance.now();
    return await this.#exclusively(async () => {
      const drawing = await this.#catchUp();
      return take(drawing);
    });
  }

  async #catchUp(): Promise<Drawing> {
    const drawing = this.#drawing ?? new Drawing(this.#session, { scrollback: SCREEN_SCROLLBACK_LINES });
    this.#drawing = drawing;
    liveDrawings.touch(this.#asLive);
    await drawing.catchUp();
    if (this.#drawing === drawing) this.#keep();
    return drawing;
  }

  /** For more lines than a live screen has, draws the whole journal again. */
  async #take<T>({ scrollback = 0 }: SnapshotOptions, take: (drawing: Drawing) => T): Promise<T> {
    requireInteger("scrollback", scrollback, { min: 0, max: MAX_SCROLLBACK_LINES });
    if (scrollback <= SCREEN_SCROLLBACK_LINES) return await this.#read(take);
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
    this.#releaseWhenUnread();
  }

  /** How long a drawing stays that nobody reads. */
  get #keepMs(): number {
    const { exit, closeReason } = this.#session;
    if (exit === undefined) return SCREEN_KEEP_MS;
    return closeReason === undefined ? SCREEN_ENDED_KEEP_MS : 0;
  }

  get #cells(): number {
    if (!this.#drawing) return 0;
    const { cols, rows } = this.#drawing.terminal.size;
    return cols * (rows + SCREEN_SCROLLBACK_LINES);
  }

  get #unreadMs(): number {
    return performance.now() - this.#lastReadMs;
  }

  #releaseWhenUnread(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    // The end of the last watch calls this again.
    if (this.#watchers > 0 || !this.#drawing) return;
    const leftMs = this.#keepMs - this.#unreadMs;
    if (leftMs > 0) this.#keepTimer = setTimeout(() => this.#releaseWhenUnread(), Math.ceil(leftMs)).unref();
    else this.#releaseIf(() => this.#watchers === 0 && this.#unreadMs >= this.#keepMs);
  }

  /** Releases after everyone who draws or reads now, if it is still due then. */
  #releaseIf(isDue: () => boolean): void {
    void this.#exclusively(async () => {
      if (isDue()) this.release();
    });
  }

  #startFollowing(): AbortController {
    const stop = new AbortController();
    // Whatever ends this loop, the next snapshot starts from the journal.
    void this.#follow(stop.signal).catch(() => undefined);
    void this.#session.exited.then(() => {
      this.#changes.announce();
      this.#releaseWhenUnread();
    });
    void internalsOf(this.#session).lifetime.closed.then(() => this.#releaseWhenUnread());
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
