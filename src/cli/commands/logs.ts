import type { Command } from "../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../args/common-args.ts";
import { isOn, requiredText, textOf, wholeOf } from "../args/read-args.ts";
import { requireOutsideSession } from "../require-outside-session.ts";
import { followLogs, showLogs } from "../view/show-logs.ts";
import { withHost } from "../with-host.ts";

export const logs: Command = {
  name: "logs",
  description: "Print a session's output as clean text.",
  args: {
    ...sessionArg,
    follow: { type: "boolean", short: "f", description: "Keep printing new output until the program ends" },
    grep: {
      type: "string",
      short: "g",
      hint: "REGEX",
      description: "Print only lines that match; exits with 1 if none does",
    },
    tail: { type: "string", short: "n", hint: "N", description: "Start with the last N lines" },
    raw: { type: "boolean", description: "Print the raw bytes, with control sequences" },
    ...jsonArg("one object per line"),
    ...atArg,
  },
  examples: [
    "limpet logs dev",
    "limpet logs -f dev --grep error",
    "limpet logs 7 --tail 20",
    "limpet logs 7 --raw > output.bin",
  ],
  run: (args) =>
    withHost(args, async (sessions) => {
      const request = {
        key: requiredText(args, "id"),
        grep: textOf(args, "grep"),
        tail: wholeOf(args, "tail", { min: 1, max: 1_000_000 }),
        isRaw: isOn(args, "raw"),
        isJson: isOn(args, "json"),
      };
      if (!isOn(args, "follow")) return await showLogs(sessions, request);
      await requireOutsideSession(sessions, (await sessions.find(request.key)).id);
      return await followLogs(sessions, request);
    }),
};
