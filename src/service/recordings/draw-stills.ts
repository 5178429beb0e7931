/** Draws the frames of a recording. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { LAST_STILL_MS, MAX_ANIMATION_MS, MAX_COLS, MAX_ROWS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { CastEvent } from "../../record/asciicast.ts";
import { Pace, type PaceOptions } from "../../record/pace.ts";
import type { RecordingFile } from "../../record/read-recording.ts";
import { Guard } from "../../screen/drawing/guard.ts";
import { HeadlessTerminal } from "../../screen/drawing/headless-terminal.ts";
import type { Chapter } from "../../screen/picture/player/player-data.ts";
import { Reel } from "../../screen/picture/reel.ts";
import type { SvgOptions } from "../../screen/picture/render-svg.ts";
import { StillPainter } from "../../screen/picture/still.ts";
import { themeOf } from "../../screen/picture/svg/palette.ts";

/** How much of a recording is drawn. */
export interface DrawingProgress {
  /** The number of events that are drawn. */
  readonly events: number;
  /** The recorded time of the last event. */
  readonly atMs: number;
}

/** How to draw a recording. */
export interface DrawingOptions extends SvgOptions, PaceOptions {
  /** Play once and stop at the end. Default false: repeat, with a pause of three seconds at the end. */
  readonly once?: boolean;
  /** Called after each event. */
  readonly onProgress?: (progress: DrawingProgress) => void;
  readonly signal?: AbortSignal;
}

/** The frames of a recording. */
interface DrawnRecording {
  readonly reel: Reel;
  /** The time to play once, including the pause at the end. */
  readonly durationMs: number;
  /** The marks of the recording, in the time of the replay. */
  readonly chapters: readonly Chapter[];
}

/** More than a person looks through. */
const MAX_CHAPTERS = 1_000;

/** The events that can be drawn. */
type Drawable = Extract<CastEvent, { readonly kind: "output" | "resize" }>;

/**
 * Rejects with `BAD_RECORDING` if the terminal is too large to draw, and with `BAD_OPTION` if it would play for more
 * than a day.
 */
export async function drawStills(recording: RecordingFile, options: DrawingOptions): Promise<DrawnRecording> {
  const { once = false, onProgress, signal } = options;
  const painter = new StillPainter(themeOf(options.theme));
  const pace = new Pace(options);
  const reel = new Reel();
  const chapters: Chapter[] = [];
  const screen = new RecordedScreen(recording.header.size);
  let [events, stillStartMs, lastMs] = [0, 0, 0];
  try {
    for await (const event of recording.events()) {
      signal?.throwIfAborted();
      events += 1;
      lastMs = requireDuration(pace.due(event));
      if (isDrawable(event)) {
        if (lastMs - stillStartMs >= reel.intervalMs) {
          reel.add(painter.draw(stillStartMs, screen.terminal));
          stillStartMs = lastMs;
          // Lets other work of this process run.
          await nextTurn();
        }
        await screen.draw(event);
      }
      if (event.kind === "marker" && chapters.length < MAX_CHAPTERS)
        chapters.push({ atMs: lastMs, label: event.label });
      onProgress?.({ events, atMs: event.atMs });
    }
    reel.add(painter.draw(stillStartMs, screen.terminal));
  } finally {
    screen.terminal.dispose();
  }
  return { reel, durationMs: once ? lastMs : lastMs + LAST_STILL_MS, chapters };
}

function isDrawable(event: CastEvent): event is Drawable {
  return event.kind === "output" || event.kind === "resize";
}

function requireDuration(ms: number): number {
  if (ms <= MAX_ANIMATION_MS) return ms;
  throw new LimpetError(
    "BAD_OPTION",
    `The recording would play for more than ${MAX_ANIMATION_MS / 3_600_000} hours. Shorten its silences with idleMs, or pass a higher speed.`,
  );
}

/** A terminal that shows the output of a recording. */
class RecordedScreen {
  readonly terminal: HeadlessTerminal;
  readonly #guard: Guard;

  constructor(size: TerminalSize) {
    requireSize(size);
    this.#guard = new Guard(size);
    this.terminal = new HeadlessTerminal({ size, scrollback: 0 });
  }

  async draw(event: Drawable): Promise<void> {
    if (event.kind === "output") {
      await this.terminal.write(this.#guard.push(Buffer.from(event.text)));
      return;
    }
    requireSize(event.size);
    this.#guard.resize(event.size);
    this.terminal.resize(event.size);
  }
}

function requireSize({ cols, rows }: TerminalSize): void {
  if (cols >= 1 && cols <= MAX_COLS && rows >= 1 && rows <= MAX_ROWS) return;
  throw new LimpetError(
    "BAD_RECORDING",
    `The recording has a terminal of ${cols} x ${rows}. Pass a recording with a terminal of 1 x 1 to ${MAX_COLS} x ${MAX_ROWS} characters.`,
  );
}
