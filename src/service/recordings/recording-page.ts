/** Makes an HTML page that plays a recording. */
import { readFile } from "node:fs/promises";
import { builtFile } from "../../base/built-file.ts";
import { MAX_ANIMATION_BYTES } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { RecordingFile } from "../../record/read-recording.ts";
import type { PlayerContent } from "../../screen/picture/player/player-data.ts";
import { type PlayerPage, playerContent, renderPlayer } from "../../screen/picture/player/render-player.ts";
import { type DrawingOptions, drawStills } from "./draw-stills.ts";
import { fitReel } from "./fit-reel.ts";
import type { RecordingSvg } from "./recording-svg.ts";

/** A recording as an HTML page. */
export interface RecordingPage extends PlayerPage, Pick<RecordingSvg, "durationMs" | "intervalMs" | "stills"> {}

/**
 * Draws a recording as one HTML file that plays in a browser and loads nothing, with buttons to pause, seek, change the
 * speed and jump to each command. The page has at most about 5 MB and 5,000 pictures; of a longer recording, fewer
 * pictures are drawn. Rejects like `recordingSvg`.
 */
export async function recordingPage(
  recording: RecordingFile,
  options: Omit<DrawingOptions, "once"> = {},
): Promise<RecordingPage> {
  const script = await readScript();
  const { reel, durationMs, chapters } = await drawStills(recording, { ...options, once: true });
  const { command, title = command } = recording.header;
  const shown = { theme: options.theme ?? "dark", title: options.title ?? title ?? "Recording", chapters, script };
  const draw = () => renderPlayer(reel.stills, { ...shown, totalMs: durationMs });
  const page = fitReel(reel, draw, ({ html }) => Buffer.byteLength(html) <= MAX_ANIMATION_BYTES);
  return { ...page, durationMs, stills: reel.stills.length, intervalMs: reel.intervalMs };
}

/** The same for a page that has a player of its own: at most about 5 MB of JSON. */
export async function recordingPlayer(
  recording: RecordingFile,
  options: Omit<DrawingOptions, "once"> = {},
): Promise<PlayerContent & { readonly title: string }> {
  const { reel, durationMs, chapters } = await drawStills(recording, { ...options, once: true });
  const shown = { theme: options.theme ?? "dark", totalMs: durationMs, chapters };
  const draw = () => playerContent(reel.stills, shown);
  const isSmall = (content: PlayerContent) => Buffer.byteLength(JSON.stringify(content)) <= MAX_ANIMATION_BYTES;
  const { command, title = command } = recording.header;
  return { ...fitReel(reel, draw, isSmall), title: options.title ?? title ?? "Recording" };
}

/** It is built for browsers, separately. */
async function readScript(): Promise<string> {
  const found = builtFile("web/player.js");
  if (found !== undefined) return await readFile(found, "utf8");
  throw new LimpetError(
    "PICTURE_UNAVAILABLE",
    "The player of limpet is missing. If a bundler built this program, mark limpet as external.",
  );
}
