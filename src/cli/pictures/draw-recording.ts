/** Turns a recording into an animated SVG file, for `limpet replay --svg`. */

import { extname } from "node:path";
import { describeAge } from "../../base/format/describe-duration.ts";
import { STILL_INTERVAL_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { PaceOptions } from "../../record/pace.ts";
import type { RecordingFile } from "../../record/read-recording.ts";
import { type DrawingProgress, type RecordingSvg, recordingSvg } from "../../service/recordings/recording-svg.ts";
import type { Args } from "../args/command.ts";
import { isOn, textOf } from "../args/read-args.ts";

import { print, printError, printJson, writeBytes } from "../print/print.ts";
import { ProgressLine } from "../print/progress-line.ts";
import { describePicture, requireFree, requireStdout, STDOUT, savePicture, themeOf } from "./save-picture.ts";

/** Flags that need --svg. */
const ONLY_FOR_SVG = ["once", "theme", "force"] as const;

/** The file given with --svg, or undefined. Refuses contradicting flags before the recording is read. */
export function pictureFileOf(flags: Args): string | undefined {
  const file = textOf(flags, "svg");
  if (file === undefined) {
    const lost = ONLY_FOR_SVG.find((name) => flags[name] !== undefined);
    if (lost) throw new LimpetError("BAD_OPTION", `--${lost} works only with --svg. Add --svg FILE, or leave it out.`);
    return undefined;
  }
  if (isOn(flags, "text"))
    throw new LimpetError("BAD_OPTION", "--svg and --text cannot be combined. Give one of them.");
  if (file === STDOUT) requireStdout(flags);
  if (file === STDOUT || extname(file).toLowerCase() === ".svg") return file;
  throw new LimpetError("BAD_OPTION", `--svg is ${JSON.stringify(file)}. Give a name that ends in .svg.`);
}

export async function drawRecording(
  recording: RecordingFile,
  { file, flags, ...pace }: PaceOptions & { readonly file: string; readonly flags: Args },
): Promise<void> {
  const theme = themeOf(flags);
  if (file !== STDOUT) requireFree(file, flags);
  const drawn = await withProgress((onProgress) =>
    recordingSvg(recording, { ...pace, theme, once: isOn(flags, "once"), onProgress }),
  );
  const { svg, width, height, stills, durationMs, intervalMs } = drawn;
  if (file === STDOUT) return void (await writeBytes(Buffer.from(svg)));
  const saved = await savePicture(file, { bytes: Buffer.from(svg), width, height }, flags);
  if (isOn(flags, "json")) {
    printJson({ ...saved, pictures: stills, durationMs, intervalMs });
    return;
  }
  print(`${describePicture(saved)}, ${stills} frames in ${describeAge(durationMs)}.`);
  if (intervalMs > STILL_INTERVAL_MS) printError(noteOn(drawn));
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

function noteOn({ intervalMs }: RecordingSvg): string {
  return `Note: frames are at least ${intervalMs / 1000} s apart to keep the file small. For more detail, use a shorter recording or a higher --speed.`;
}
