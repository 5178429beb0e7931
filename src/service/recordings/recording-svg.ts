/** Draws a recording as an animated SVG. */
import { MAX_ANIMATION_BYTES } from "../../base/limits.ts";
import type { RecordingFile } from "../../record/read-recording.ts";
import { renderAnimation } from "../../screen/picture/render-animation.ts";
import { type DrawingOptions, drawStills } from "./draw-stills.ts";
import { fitReel } from "./fit-reel.ts";

/** A recording as an SVG document. */
export interface RecordingSvg {
  readonly svg: string;
  /** In pixels, for the largest size of the terminal. */
  readonly width: number;
  readonly height: number;
  /** The time to play once, including the pause at the end. */
  readonly durationMs: number;
  /** The number of different pictures. */
  readonly stills: number;
  /** The least time between two pictures: 40, or more if the document would be too large. */
  readonly intervalMs: number;
}

/**
 * Draws a recording as an SVG document that plays in a browser without a script. Shows only the end to users who prefer
 * reduced motion. The document has at most 5 MB and 5,000 pictures; of a longer recording, fewer pictures are drawn.
 * Rejects with `BAD_RECORDING` if the terminal is too large to draw, and with `BAD_OPTION` if it would play for more
 * than a day.
 */
export async function recordingSvg(recording: RecordingFile, options: DrawingOptions = {}): Promise<RecordingSvg> {
  const { reel, durationMs } = await drawStills(recording, options);
  const draw = () => renderAnimation(reel.stills, { ...options, totalMs: durationMs });
  const drawn = fitReel(reel, draw, ({ svg }) => Buffer.byteLength(svg) <= MAX_ANIMATION_BYTES);
  return { ...drawn, durationMs, stills: reel.stills.length, intervalMs: reel.intervalMs };
}
