/** Turns a recording into a file that plays in a browser, for `limpet replay -o`. */

import { extname } from "node:path";
import { describeAge } from "../../base/format/describe-duration.ts";
import { STILL_INTERVAL_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { PaceOptions } from "../../record/pace.ts";
import type { RecordingFile } from "../../record/read-recording.ts";
import type { DrawingOptions, DrawingProgress } from "../../service/recordings/draw-stills.ts";
import { recordingPage } from "../../service/recordings/recording-page.ts";
import { type RecordingSvg, recordingSvg } from "../../service/recordings/recording-svg.ts";
import type { Args } from "../args/command.ts";
import { isOn, textOf } from "../args/read-args.ts";

import { print, printError, printJson, writeBytes } from "../print/print.ts";
import { ProgressLine } from "../print/progress-line.ts";
import { describePicture, requireFree, requireStdout, STDOUT, savePicture, themeOf } from "./save-picture.ts";

/** Flags that need -o. */
const ONLY_WITH_FILE = ["once", "theme", "force"] as const;
const ENDINGS = [".svg", ".html"];

/** The file given with -o, or undefined. Refuses contradicting flags before the recording is read. */
export function pictureFileOf(flags: Args): string | undefined {
  const file = textOf(flags, "output");
  if (file === undefined) {
    const lost = ONLY_WITH_FILE.find((name) => flags[name] !== undefined);
    if (lost) throw new LimpetError("BAD_OPTION", `--${lost} works only with -o. Add -o FILE, or leave it out.`);
    return undefined;
  }
  if (isOn(flags, "text")) throw new LimpetError("BAD_OPTION", "-o and --text cannot be combined. Give one of them.");
  if (isPage(file) && isOn(flags, "once"))
    throw new LimpetError("BAD_OPTION", "--once works only for SVG: an HTML page plays once anyway. Leave it out.");
  if (file === STDOUT) requireStdout(flags);
  if (file === STDOUT || ENDINGS.includes(endingOf(file))) return file;
  throw new LimpetError("BAD_OPTION", `-o is ${JSON.stringify(file)}. Give a name that ends in .svg or .html.`);
}

export async function drawRecording(
  recording: RecordingFile,
  { file, flags, ...pace }: PaceOptions & { readonly file: string; readonly flags: Args },
): Promise<void> {
  const theme = themeOf(flags);
  if (file !== STDOUT) requireFree(file, flags);
  const drawn = await withProgress((onProgress) => draw(recording, { ...pace, theme, onProgress }, { file, flags }));
  const { text, width, height, stills, durationMs, intervalMs } = drawn;
  if (file === STDOUT) return void (await writeBytes(Buffer.from(text)));
  const saved = await savePicture(file, { bytes: Buffer.from(text), width, height }, flags);
  if (isOn(flags, "json")) {
    printJson({ ...saved, pictures: stills, durationMs, intervalMs });
    return;
  }
  print(`${describePicture(saved)}, ${stills} frames in ${describeAge(durationMs)}.`);
  if (intervalMs > STILL_INTERVAL_MS) printError(noteOn(drawn));
}

interface Target {
  readonly file: string;
  readonly flags: Args;
}

async function draw(recording: RecordingFile, options: DrawingOptions, { file, flags }: Target) {
  if (isPage(file)) {
    const { html, ...drawn } = await recordingPage(recording, options);
    return { text: html, ...drawn };
  }
  const { svg, ...drawn } = await recordingSvg(recording, { ...options, once: isOn(flags, "once") });
  return { text: svg, ...drawn };
}

function isPage(file: string): boolean {
  return endingOf(file) === ".html";
}

function endingOf(file: string): string {
  return extname(file).toLowerCase();
}

async function withProgress<T>(work: (onProgress: (progress: DrawingProgress) => void) => Promise<T>): Promise<T> {
  const line = new ProgressLine();
  try {
    return await work(({ events, atMs }) =>
      line.tell(() => `Drawing: ${events} events, ${describeAge(atMs)} of the recording`),
    );
  } finally {
    line.end();
  }
}

function noteOn({ intervalMs }: Pick<RecordingSvg, "intervalMs">): string {
  return `Note: frames are at least ${intervalMs / 1000} s apart to keep the file small. For more detail, use a shorter recording or a higher --speed.`;
}
