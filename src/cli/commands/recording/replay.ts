import { LimpetError } from "../../../base/limpet-error.ts";
import type { CastEvent } from "../../../record/asciicast.ts";
import type { PaceOptions } from "../../../record/pace.ts";
import { readRecording } from "../../../record/read-recording.ts";
import { recordingText } from "../../../record/recording-text.ts";
import { replay as play } from "../../../record/replay.ts";
import type { Args, Command } from "../../args/command.ts";
import { jsonArg } from "../../args/common-args.ts";
import { durationOf, isOn, requiredText, textOf } from "../../args/read-args.ts";
import { drawRecording, pictureFileOf } from "../../pictures/draw-recording.ts";
import { pictureArgs } from "../../pictures/save-picture.ts";
import { printBelow, printError, writeDrawing, writeJsonLines, writeText } from "../../print/print.ts";
import { ShownOutput } from "../../print/shown-output.ts";
import { playRecording } from "../../replay/play-recording.ts";

export const replay: Command = {
  name: "replay",
  description:
    "Play a recording, print it as text, or make a file that plays in a browser. Keys: space pauses, arrows seek, + and - change the speed.",
  args: {
    file: { type: "positional", description: "An asciicast file, version 1, 2 or 3" },
    idle: { type: "string", short: "i", hint: "TIME", description: "Shorten every pause to at most this long" },
    speed: {
      type: "string",
      short: "s",
      hint: "N",
      description: "How fast: 2 is twice as fast, max is without pauses. Default: 1",
    },
    text: { type: "boolean", description: "Print the output as clean text, without pauses" },
    output: {
      type: "string",
      short: "o",
      hint: "FILE",
      description: "Write a page with a player (.html) or an animated picture (.svg); - is an SVG to stdout",
    },
    once: { type: "boolean", description: "SVG: play once. Default: loop" },
    ...pictureArgs,
    ...jsonArg("one event per line; with -o, the file that was written"),
  },
  examples: [
    "limpet replay session.cast --idle 2",
    "limpet replay session.cast --speed 4",
    "limpet replay session.cast --text | less",
    "limpet replay session.cast -o session.html --idle 2",
    "limpet replay session.cast -o session.svg --idle 2",
  ],
  async run(args) {
    const picture = pictureFileOf(args);
    const pace = paceOf(args);
    const recording = await readRecording(requiredText(args, "file"));
    if (picture !== undefined) {
      await drawRecording(recording, { ...pace, file: picture, flags: args });
    } else if (isOn(args, "text")) {
      for await (const text of recordingText(recording)) if (!(await writeText(text))) return;
      await writeText("\n");
    } else if (isOn(args, "json")) {
      await writeJsonLines([{ kind: "header", ...recording.header }]);
      for await (const event of recording.events()) if (!(await writeJsonLines([event]))) return;
    } else if (process.stdin.isTTY && process.stdout.isTTY && Number.isFinite(pace.speed)) {
      await watch(requiredText(args, "file"), pace);
    } else {
      await show(recording.events(), pace);
    }
  },
};

/** Plays in the person's terminal, with keys. */
async function watch(file: string, pace: PaceOptions): Promise<void> {
  const { isQuit, lastLines, exitCode } = await playRecording(file, pace);
  if (isQuit) return;
  if (lastLines.length > 0) await writeDrawing(`${lastLines.join("\n")}\n`);
  printError(`[end of recording${exitCode === undefined ? "" : ` (exit code ${exitCode})`}]`);
}

async function show(events: AsyncIterable<CastEvent>, pace: PaceOptions): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  const shown = new ShownOutput({ intoPipe: "drawing" });
  let exit = "";
  try {
    await play(events, {
      write: async (text) => void (!(await shown.write(Buffer.from(text))) && stop.abort()),
      onEvent: (event) => {
        if (event.kind === "exit") exit = ` (exit code ${event.code})`;
      },
      ...pace,
      signal: stop.signal,
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    await shown.end();
  }
  if (process.stdout.isTTY) printBelow(`[end of recording${exit}]`);
}

function paceOf(flags: Args): PaceOptions {
  const idleMs = durationOf(flags, "idle");
  return { speed: speedOf(flags), ...(idleMs === undefined ? {} : { idleMs }) };
}

function speedOf(flags: Args): number {
  const text = textOf(flags, "speed") ?? "1";
  const speed = text === "max" ? Number.POSITIVE_INFINITY : Number(text);
  if (text.trim() !== "" && speed >= 0.01) return speed;
  throw new LimpetError("BAD_OPTION", `--speed is ${JSON.stringify(text)}. Give a number of at least 0.01, or max.`);
}
