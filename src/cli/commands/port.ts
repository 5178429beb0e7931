import { describeAge } from "../../base/format/describe-duration.ts";
import { processAgeMs } from "../../linux/processes/process-age.ts";
import { readProcess } from "../../linux/processes/processes.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import type { Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { isOn, wholeOf } from "../args/read-args.ts";
import { FAILED, OK } from "../exit-codes.ts";
import { describeActivity, describeName } from "../print/describe-session.ts";
import { print, printJson } from "../print/print.ts";
import { withHost } from "../with-host.ts";

export const port: Command = {
  name: "port",
  description: "Show which process of which session listens on a TCP port, or on any. Exits with 1 if none does.",
  args: {
    port: { type: "positional", isOptional: true, description: "The port. Default: all ports" },
    ...jsonArg(),
    ...atArg,
  },
  examples: ["limpet port 3000", "limpet port"],
  run: (args) => {
    const wanted = wholeOf(args, "port", { min: 1, max: 65_535 });
    return withHost(args, async (sessions) => {
      const all = await sessions.list({ ended: false, all: true });
      const found = all.flatMap((session) => openPorts(session, wanted));
      if (isOn(args, "json")) printJson(found.map(({ text: _text, ...rest }) => rest));
      else if (found.length === 0)
        print(`No session listens on ${wanted === undefined ? "a port" : `port ${wanted}`}.`);
      else print(found.map(({ text }) => text).join("\n"));
      return found.length === 0 ? FAILED : OK;
    });
  },
};

function openPorts(session: SessionSummary, wanted: number | undefined) {
  const { id, name, place } = session;
  return session.listening
    .filter((listening) => wanted === undefined || listening.port === wanted)
    .map(({ port: number, address, pid }) => {
      // A process of another machine cannot be looked up here.
      const process = place === null ? readProcess(pid) : undefined;
      const runningMs = process ? processAgeMs(process) : null;
      const since = runningMs === null ? "" : `, running for ${describeAge(runningMs)}`;
      const who = `${process?.name ?? "process"} (pid ${pid}${since})`;
      const text = `${number} on ${address}: ${who} in ${describeName(session)}, ${describeActivity(session)}`;
      return { id, name, place, port: number, address, pid, process: process?.name ?? null, runningMs, text };
    });
}
