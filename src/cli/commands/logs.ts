import type { Command } from "../args/command.ts";
import { jsonArg, sessionArg } from "../args/common-args.ts";
import { isOn, requiredText, textOf, wholeOf } from "../args/read-args.ts";
import { requireOutsideSession } from "../require-outside-session.ts";
import { followLogs, showLogs } from "../view/show-logs.ts";
import { withHost } from "../with-host.ts";

export const logs: Command = {
  name: "logs",
  description: "Print what a session has printed, as clean text.",
  args: {
    ...sessionArg,
    follow: { type: "boolean", short: "f", description: "Go on with what comes, until the program ends" },
    grep: { type: "string", short: "g", hint: "REGEX", description: "Only lines that match" },
    tail: { type: "string", short: "n", hint: "N", description: "Only the last lines of what is there" },
    raw: { type: "boolean", description: "Bytes as they came, control sequences and all" },
    ...jsonArg("one object a line"),
  },
  examples: [
    "limpet logs dev",
    "limpet logs -f dev --grep error",
    "limpet logs 7 --tail 20",
    "limpet logs 7 --raw > output.bin",
  ],
  run: (args) =>
    withHost(async (sessions) => {
      const request = {
        key: requiredText(args, "id"),
        grep: textOf(args, "grep"),
        tail: wholeOf(args, "tail", { min: 1, max: 1_000_000 }),
        isRaw: isOn(args, "raw"),
        isJson: isOn(args, "json"),
      };
      if (!isOn(args, "follow")) return await showLogs(sessions, request);
      await requireOutsideSession(sessions, (await sessions.identify(request.key)).id);
      return await followLogs(sessions, request);
    }),
};
