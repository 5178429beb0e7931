import { keyOf } from "../../../service/listing/session-key.ts";
import type { Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText, textOf } from "../../args/read-args.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const hold: Command = {
  name: "hold",
  description: "Keep agents from typing into a session until you release it. People can still type.",
  args: {
    ...sessionArg,
    reason: {
      type: "string",
      short: "r",
      hint: "TEXT",
      description: "Why; agents that try to type see it",
    },
    ...jsonArg(),
    ...atArg,
  },
  examples: ['limpet hold 7 --reason "logging in, one moment"', "limpet release 7"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const session = await sessions.find(requiredText(args, "id"));
      await sessions.hold(session.id, { reason: textOf(args, "reason") ?? null });
      if (isOn(args, "json")) printJson({ id: session.id, held: true });
      else print(`Held: ${describeName(session)}. Let agents type again with: limpet release ${keyOf(session)}`);
    }),
};
