/**
 * Plays a recording in the person's terminal, at its own size. Going back means to draw it again from its beginning, up
 * to the place.
 */
import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { MAX_TIMER_MS } from "../../base/limits.ts";
import type { CastEvent } from "../../record/asciicast.ts";
import { Pace, type PaceOptions } from "../../record/pace.ts";
import { type RecordingFile, readRecording } from "../../record/read-recording.ts";
import { keysOf } from "../print/keys-of.ts";
import { LiveView } from "../view/live-view.ts";
import { PersonScreen } from "../view/person-screen.ts";
import { describeReplay, type PlayLength, type PlayState, placeAt, pressInReplay } from "./player-model.ts";

/** How the replay ended. */
export interface PlayEnd {
  readonly isQuit: boolean;
  /** What the recording left on the screen. */
  readonly lastLines: readonly string[];
  /** The exit code at the end of the recording. */
  readonly exitCode: number | undefined;
}

/** More markers than anyone jumps to. */
const MAX_MARKERS = 10_000;
const NOTICE_MS = 2_000;
const STATUS_EVERY_MS = 500;

/** Always restores the terminal. */
export async function playRecording(file: string, { speed = 1, ...pace }: PaceOptions): Promise<PlayEnd> {
  const length = await lengthOf(await readRecording(file), pace);
  const player = new Player({ file, pace, length }, speed);
  try {
    return await player.run();
  } finally {
    player.close();
  }
}

interface Played {
  readonly file: string;
  readonly pace: PaceOptions;
  readonly length: PlayLength;
}

class Player {
  readonly #played: Played;
  readonly #view: LiveView;
  readonly #ticking: NodeJS.Timeout;
  #screen = new PersonScreen({ size: null, cursor: 0 });
  #state: PlayState;
  #isQuit = false;
  #changed: Deferred<void> = deferred<void>();
  #notice: NodeJS.Timeout | undefined;
  #exitCode: number | undefined;

  constructor(played: Played, speed: number) {
    this.#played = played;
    this.#state = { atMs: 0, sinceMs: performance.now(), speed, isPaused: false };
    this.#view = LiveView.over(this.#screen, {
      onInput: (bytes) => this.#onInput(Buffer.from(bytes).toString()),
      passesKeys: false,
      status: () => this.#status(),
    });
    this.#ticking = setInterval(() => this.#view.draw(), STATUS_EVERY_MS);
    this.#say();
  }

  async run(): Promise<PlayEnd> {
    while ((await this.#playOnce()) === "again");
    return { isQuit: this.#isQuit, lastLines: this.#view.lastLines(), exitCode: this.#exitCode };
  }

  close(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#notice);
    this.#view.close();
  }

  /** From the beginning until the end, until the person quits, or until a place that was shown before is wanted. */
  async #playOnce(): Promise<"over" | "again"> {
    const { file, pace: options } = this.#played;
    const recording = await readRecording(file);
    const pace = new Pace(options);
    this.#screen = new PersonScreen({ size: recording.header.size, cursor: 0 });
    this.#view.screen = this.#screen;
    let shownMs = 0;
    for await (const event of recording.events()) {
      const dueMs = pace.due(event);
      const next = await this.#until(dueMs, shownMs);
      if (next !== "due") return next;
      shownMs = dueMs;
      await this.#show(event);
    }
    return (await this.#until(this.#played.length.totalMs, shownMs)) === "again" ? "again" : "over";
  }

  async #until(dueMs: number, shownMs: number): Promise<"due" | "over" | "again"> {
    for (;;) {
      const atMs = placeAt(this.#state, performance.now());
      if (this.#isQuit) return "over";
      if (atMs < shownMs) return "again";
      const { isPaused, speed } = this.#state;
      // A paused replay that was moved to the end stays there, so that the person can look at it.
      const isHeld = isPaused && shownMs >= this.#played.length.totalMs;
      if (atMs >= dueMs && !isHeld) return "due";
      const waitMs = isPaused ? MAX_TIMER_MS : Math.min(MAX_TIMER_MS, Math.ceil((dueMs - atMs) / speed));
      this.#changed = deferred<void>();
      const timer = setTimeout(this.#changed.resolve, waitMs);
      await this.#changed.promise;
      clearTimeout(timer);
    }
  }

  async #show(event: CastEvent): Promise<void> {
    if (event.kind === "output") await this.#screen.draw(event.text);
    if (event.kind === "resize") await this.#screen.take({ kind: "size", size: event.size });
    if (event.kind === "exit") this.#exitCode = event.code;
    this.#view.drawSoon();
  }

  #onInput(text: string): void {
    for (const key of keysOf(text)) {
      const next = pressInReplay(this.#state, key, { nowMs: performance.now(), length: this.#played.length });
      if (!next) this.#isQuit = true;
      else this.#state = next;
    }
    this.#say();
    this.#changed.resolve();
  }

  /** The status covers the last row while the replay is paused, and for a moment after a key. */
  #say(): void {
    clearTimeout(this.#notice);
    this.#view.notice = this.#status();
    if (!this.#state.isPaused) this.#notice = setTimeout(() => (this.#view.notice = undefined), NOTICE_MS);
  }

  #status(): string {
    return describeReplay(this.#state, performance.now(), this.#played.length);
  }
}

async function lengthOf(recording: RecordingFile, options: PaceOptions): Promise<PlayLength> {
  const pace = new Pace(options);
  const markersMs: number[] = [];
  let totalMs = 0;
  for await (const event of recording.events()) {
    totalMs = pace.due(event);
    if (event.kind === "marker" && markersMs.length < MAX_MARKERS) markersMs.push(totalMs);
  }
  return { totalMs, markersMs };
}
