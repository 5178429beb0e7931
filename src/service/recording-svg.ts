/** A recording as a picture that moves: its output drawn event by event, and what the screen showed as an SVG animation. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { LAST_STILL_MS, MAX_ANIMATION_BYTES, MAX_ANIMATION_MS, MAX_COLS, MAX_ROWS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { CastEvent } from "../record/asciicast.ts";
import { Pace, type PaceOptions } from "../record/pace.ts";
import type { RecordingFile } from "../record/read-recording.ts";
import { Guard } from "../screen/drawing/guard.ts";
import { HeadlessTerminal } from "../screen/drawing/headless-terminal.ts";
import { Reel } from "../screen/picture/reel.ts";
import { renderAnimation } from "../screen/picture/render-animation.ts";
import type { SvgOptions } from "../screen/picture/render-svg.ts";
import { StillPainter } from "../screen/picture/still.ts";
import { themeOf } from "../screen/picture/svg/palette.ts";

/** How far the drawing of a recording has come. */
export interface DrawingProgress {
  /** Of the recording. */
  readonly events: number;
  /** The time of the last of them, as it was recorded. */
  readonly atMs: number;
}

/** How to draw a recording. */
export interface RecordingSvgOptions extends SvgOptions, PaceOptions {
  /** Play it once and stay at the end. Default false: again and again, with three seconds to read the end. */
  readonly once?: boolean;
  /** Told after each event. */
  readonly onProgress?: (progress: DrawingProgress) => void;
  readonly signal?: AbortSignal;
}

/** A recording as an SVG document. */
export interface RecordingSvg {
  readonly svg: string;
  /** In pixels, for the largest size that the terminal had. */
  readonly width: number;
  readonly height: number;
  /** Of once through, the pause at the end included. */
  readonly durationMs: number;
  /** Pictures that differ from the one before. */
  readonly stills: number;
  /** Of what happened within this time, only the outcome is shown: 40, or more where the document would be too large. */
  readonly intervalMs: number;
}

/** What can be drawn of an event. */
type Drawable = Extract<CastEvent, { readonly kind: "output" | "resize" }>;

/**
 * Draws a recording as an SVG document that plays in a browser, without a script; where motion is not wanted it shows
 * the end. It has at most 5 MB and 5,000 pictures: of a longer one, fewer are shown. Rejects with `BAD_RECORDING`
 * where its terminal is too large to be drawn, with `BAD_OPTION` where it would play for more than a day.
 */
export async function recordingSvg(recording: RecordingFile, options: RecordingSvgOptions = {}): Promise<RecordingSvg> {
  const { once = false, onProgress, signal } = options;
  const painter = new StillPainter(themeOf(options.theme));
  const pace = new Pace(options);
  const reel = new Reel();
  const screen = new RecordedScreen(recording.header.size);
  let [events, begunMs, lastMs] = [0, 0, 0];
  try {
    for await (const event of recording.events()) {
      signal?.throwIfAborted();
      events += 1;
      lastMs = requireDuration(pace.due(event));
      if (isDrawable(event)) {
        if (lastMs - begunMs >= reel.intervalMs) {
          reel.add(painter.draw(begunMs, screen.terminal));
          begunMs = lastMs;
          // Others get their turn.
          await nextTurn();
        }
        await screen.draw(event);
      }
      onProgress?.({ events, atMs: event.atMs });
    }
    reel.add(painter.draw(begunMs, screen.terminal));
  } finally {
    screen.terminal.dispose();
  }
  const durationMs = once ? lastMs : lastMs + LAST_STILL_MS;
  return { ...render(reel, { ...options, totalMs: durationMs }), durationMs };
}

function isDrawable(event: CastEvent): event is Drawable {
  return event.kind === "output" || event.kind === "resize";
}

/** With fewer stills, until it is small enough. */
function render(reel: Reel, options: SvgOptions & { readonly totalMs: number }): Omit<RecordingSvg, "durationMs"> {
  for (;;) {
    const { stills, intervalMs } = reel;
    const drawn = renderAnimation(stills, options);
    if (Buffer.byteLength(drawn.svg) <= MAX_ANIMATION_BYTES) return { ...drawn, stills: stills.length, intervalMs };
    if (stills.length === 1) {
      throw new LimpetError(
        "BAD_RECORDING",
        `A single picture of the recording takes more than ${MAX_ANIMATION_BYTES} bytes. Record a smaller terminal.`,
      );
    }
    reel.coarsen();
  }
}

function requireDuration(ms: number): number {
  if (ms <= MAX_ANIMATION_MS) return ms;
  throw new LimpetError(
    "BAD_OPTION",
    `The recording would play for more than ${MAX_ANIMATION_MS / 3_600_000} hours. Cut its silences short with idleMs, or give a higher speed.`,
  );
}

/** A terminal that shows what a recording has of its output. */
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
    `The recording has a terminal of ${cols} x ${rows}. Give one whose terminal has 1 x 1 to ${MAX_COLS} x ${MAX_ROWS} characters.`,
  );
}
