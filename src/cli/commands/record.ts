import { resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import type { RecordingState } from "../../record/record-session.ts";
import type { SessionIdentity } from "../../service/session-service.ts";
import type { Command } from "../command.ts";
import { describeBytes, describeName } from "../describe.ts";
import { FAILED, OK } from "../exit-codes.ts";
import { type Flags, isOn, textOf } from "../flags.ts";
import { print, printJson } from "../print.ts";
import { jsonArg, sessionArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";

export const record: Command = {
  meta: {
    name: "record",
    description:
      "Record a session to a file (asciicast), until it ends. The recording goes on when this command has ended.",
  },
  args: {
    ...sessionArg,
    output: { type: "string", alias: "o", valueHint: "FILE", description: "The file, which must not be there yet" },
    from: {
      type: "string",
      valueHint: "start|now",
      description: "With what was printed so far, or without. Default: start",
    },
    format: { type: "string", valueHint: "2|3", description: "The version of asciicast. Default: 3" },
    input: { type: "boolean", description: "Also what is typed, but for what the terminal does not show" },
    stop: { type: "boolean", description: "Stop this recording, or without -o all of the session" },
    ...jsonArg(),
  },
  examples: ["limpet record 7 -o session.cast", "limpet record 7 --stop", "limpet replay session.cast --idle 2"],
  run: ({ args }) =>
    withHost(async (sessions) => {
      const session = await sessions.find(String(args["id"]));
      const output = textOf(args, "output");
      const file = output === undefined ? undefined : resolve(output);
      if (isOn(args, "stop")) {
        const stopped = await sessions.stopRecording(session.id, file === undefined ? {} : { file });
        if (isOn(args, "json")) printJson(stopped);
        else
          print(stopped.length === 0 ? `${describeName(session)} was not recorded.` : stopped.map(describe).join("\n"));
        return stopped.some(({ kind }) => kind === "failed") ? FAILED : OK;
      }
      if (file === undefined)
        throw new LimpetError("BAD_OPTION", "No file is given for the recording. Give one with -o.");
      const state = await sessions.record(session.id, { file, ...optionsOf(args) });
      if (isOn(args, "json")) printJson(state);
      else print(`Recording ${describeName(session)} to ${state.file}. ${untilWhen(session)}`);
      return OK;
    }),
};

function optionsOf(flags: Flags) {
  const { from = "start", format = "3" } = { from: textOf(flags, "from"), format: textOf(flags, "format") };
  if (from !== "start" && from !== "now")
    throw new LimpetError("BAD_OPTION", `--from is ${JSON.stringify(from)}. Give start or now.`);
  if (format !== "2" && format !== "3")
    throw new LimpetError("BAD_OPTION", `--format is ${JSON.stringify(format)}. Give 2 or 3.`);
  return { from, format: format === "2" ? 2 : 3, input: isOn(flags, "input") } as const;
}

function untilWhen({ id, exit, lost }: SessionIdentity): string {
  return exit || lost ? "It has ended, so that is all of it." : `Stop it with: limpet record ${id} --stop`;
}

function describe(state: RecordingState): string {
  const size = `${state.events} events, ${describeBytes(state.fileBytes)}`;
  const lost = state.droppedBytes > 0 ? `, ${state.droppedBytes} bytes of output missing` : "";
  return state.kind === "failed"
    ? `${state.file}: ended early (${state.reason}), ${size}${lost}`
    : `${state.file}: ${size}${lost}`;
}
