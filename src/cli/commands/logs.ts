import type { Command } from "../command.ts";
import { isOn, textOf, wholeOf } from "../flags.ts";
import { followLogs, showLogs } from "../logs.ts";
import { requireElsewhere } from "../require-elsewhere.ts";
import { jsonArg, sessionArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";

export const logs: Command = {
  meta: { name: "logs", description: "Print what a session has printed, as clean text." },
  args: {
    ...sessionArg,
    follow: { type: "boolean", alias: "f", description: "Go on with what comes, until the program ends" },
    grep: { type: "string", alias: "g", valueHint: "REGEX", description: "Only lines that match" },
    tail: { type: "string", alias: "n", valueHint: "N", description: "Only the last lines of what is there" },
    raw: { type: "boolean", description: "Bytes as they came, control sequences and all" },
    ...jsonArg("one object a line"),
  },
  examples: [
    "limpet logs dev",
    "limpet logs -f dev --grep error",
    "limpet logs 7 --tail 20",
    "limpet logs 7 --raw > output.bin",
  ],
  run: ({ args }) =>
    withHost(async (sessions) => {
      const request = {
        key: String(args["id"]),
        grep: textOf(args, "grep"),
        tail: wholeOf(args, "tail", { min: 1, max: 1_000_000 }),
        isRaw: isOn(args, "raw"),
        isJson: isOn(args, "json"),
      };
      if (!isOn(args, "follow")) return await showLogs(sessions, request);
      await requireElsewhere(sessions, (await sessions.find(request.key)).id);
      return await followLogs(sessions, request);
    }),
};
