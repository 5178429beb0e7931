import { resolve } from "node:path";
import { LimpetError } from "../../../base/limpet-error.ts";
import type { RecordingState } from "../../../record/record-session.ts";
import { keyOf } from "../../../service/listing/session-key.ts";
import type { SessionIdentity } from "../../../service/listing/session-state.ts";
import type { Args, Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText, textOf } from "../../args/read-args.ts";
import { FAILED, OK } from "../../exit-codes.ts";
import { requireStdout, STDOUT } from "../../pictures/save-picture.ts";
import { streamRecording } from "../../pictures/stream-recording.ts";
import { describeBytes, describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const record: Command = {
  name: "record",
  description:
    "Record a session to an asciicast file until it ends. The host records, so this command returns at once.",
  args: {
    ...sessionArg,
    output: {
      type: "string",
      short: "o",
      hint: "FILE",
      description: "The file to write; it must not exist yet. - is stdout",
    },
    from: {
      type: "string",
      hint: "start|now",
      description: "Record from the session's start or from now on. Default: start",
    },
    format: { type: "string", hint: "2|3", description: "The asciicast version. Default: 3" },
    input: { type: "boolean", description: "Also record what is typed, except hidden input such as passwords" },
    stop: { type: "boolean", description: "Stop the recording to -o FILE, or all recordings of the session" },
    ...jsonArg(),
    ...atArg,
  },
  examples: [
    "limpet record 7 -o session.cast",
    "limpet record 7 --stop",
    "limpet record build/7 -o session.cast   # below the home directory of that machine",
    "limpet record 7 -o - | gzip > session.cast.gz",
    "limpet replay session.cast --idle 2",
  ],
  run: (args) =>
    withHost(args, async (sessions) => {
      const session = await sessions.find(requiredText(args, "id"));
      const output = textOf(args, "output");
      // At a place, the host there writes the file, below the home directory there.
      const file = output === undefined || sessions.isFar ? output : resolve(output);
      if (isOn(args, "stop")) {
        const stopped = await sessions.stopRecording(session.id, file === undefined ? {} : { file });
        if (isOn(args, "json")) printJson(stopped);
        else
          print(stopped.length === 0 ? `${describeName(session)} was not recorded.` : stopped.map(describe).join("\n"));
        return stopped.some(({ kind }) => kind === "failed") ? FAILED : OK;
      }
      if (output === STDOUT) {
        requireStdout(args);
        await streamRecording(sessions, session.id, optionsOf(args));
        return OK;
      }
      if (file === undefined) throw new LimpetError("BAD_OPTION", "The recording needs a file. Give one with -o.");
      const state = await sessions.record(session.id, { file, ...optionsOf(args) });
      if (isOn(args, "json")) printJson(state);
      else print(`Recording ${describeName(session)} to ${placedFile(session, state.file)}. ${untilWhen(session)}`);
      return OK;
    }),
};

function optionsOf(flags: Args) {
  const { from = "start", format = "3" } = { from: textOf(flags, "from"), format: textOf(flags, "format") };
  if (from !== "start" && from !== "now")
    throw new LimpetError("BAD_OPTION", `--from is ${JSON.stringify(from)}. Give start or now.`);
  if (format !== "2" && format !== "3")
    throw new LimpetError("BAD_OPTION", `--format is ${JSON.stringify(format)}. Give 2 or 3.`);
  return { from, format: format === "2" ? 2 : 3, input: isOn(flags, "input") } as const;
}

/** As `limpet get` takes it. */
function placedFile({ place }: SessionIdentity, file: string): string {
  return place === null ? file : `${place}:${file}`;
}

function untilWhen(session: SessionIdentity): string {
  return session.exit || session.lost
    ? "The session has ended, so the recording is complete."
    : `Stop with: limpet record ${keyOf(session)} --stop`;
}

function describe(state: RecordingState): string {
  const size = `${state.events} events, ${describeBytes(state.fileBytes)}`;
  const lost = state.droppedBytes > 0 ? `, ${state.droppedBytes} bytes of output missing` : "";
  return state.kind === "failed"
    ? `${state.file}: ended early (${state.reason}), ${size}${lost}`
    : `${state.file}: ${size}${lost}`;
}
