import { LimpetError } from "../../base/limpet-error.ts";
import type { CastEvent } from "../../record/asciicast.ts";
import type { PaceOptions } from "../../record/pace.ts";
import { readRecording } from "../../record/read-recording.ts";
import { recordingText } from "../../record/recording-text.ts";
import { replay as play } from "../../record/replay.ts";
import type { Args, Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { isOn, requiredText, secondsOf, textOf } from "../args/read-args.ts";
import { drawRecording, pictureFileOf } from "../pictures/draw-recording.ts";
import { pictureArgs } from "../pictures/save-picture.ts";
import { printError, writeOut } from "../print/print.ts";
import { RESET_MODES } from "../print/terminal-sequences.ts";

export const replay: Command = {
  name: "replay",
  description: "Play a recording in this terminal, print it as text, or draw it as a picture that moves.",
  args: {
    file: { type: "positional", description: "An asciicast, version 2 or 3" },
    idle: { type: "string", short: "i", hint: "SECONDS", description: "No silence is longer than this" },
    speed: {
      type: "string",
      short: "s",
      hint: "N",
      description: "2 is twice as fast, max waits for nothing. Default: 1",
    },
    text: { type: "boolean", description: "Print what it shows as clean text, at once" },
    svg: { type: "string", hint: "FILE", description: "Write a picture that moves, for a browser; at once" },
    once: { type: "boolean", description: "SVG: play it once. Default: again and again" },
    ...pictureArgs,
    ...jsonArg("one event a line, at once; what was written, with --svg"),
  },
  examples: [
    "limpet replay session.cast --idle 2",
    "limpet replay session.cast --speed 4",
    "limpet replay session.cast --text | less",
    "limpet replay session.cast --svg session.svg --idle 2",
  ],
  async run(args) {
    const picture = pictureFileOf(args);
    const pace = paceOf(args);
    const recording = await readRecording(requiredText(args, "file"));
    if (picture !== undefined) {
      await drawRecording(recording, { ...pace, file: picture, flags: args });
    } else if (isOn(args, "text")) {
      for await (const text of recordingText(recording)) if (!(await writeOut(text))) return;
      await writeOut("\n");
    } else if (isOn(args, "json")) {
      await writeOut(`${JSON.stringify({ kind: "header", ...recording.header })}\n`);
      for await (const event of recording.events()) if (!(await writeOut(`${JSON.stringify(event)}\n`))) return;
    } else {
      await show(recording.events(), pace);
    }
  },
};

async function show(events: AsyncIterable<CastEvent>, pace: PaceOptions): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  let exit = "";
  try {
    await play(events, {
      write: async (text) => void (!(await writeOut(text)) && stop.abort()),
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
    // The recording may end in the middle of anything.
    if (process.stdout.isTTY) await writeOut(RESET_MODES);
  }
  if (process.stdout.isTTY) printError(`\r\n[end of the recording${exit}]`);
}

function paceOf(flags: Args): PaceOptions {
  const idleMs = secondsOf(flags, "idle");
  return { speed: speedOf(flags), ...(idleMs === undefined ? {} : { idleMs }) };
}

function speedOf(flags: Args): number {
  const text = textOf(flags, "speed") ?? "1";
  const speed = text === "max" ? Number.POSITIVE_INFINITY : Number(text);
  if (text.trim() !== "" && speed >= 0.01) return speed;
  throw new LimpetError("BAD_OPTION", `--speed is ${JSON.stringify(text)}. Give a number from 0.01 on, or max.`);
}
