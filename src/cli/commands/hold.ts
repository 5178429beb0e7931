import type { Command } from "../command.ts";
import { describeName } from "../describe.ts";
import { isOn, textOf } from "../flags.ts";
import { print, printJson } from "../print.ts";
import { jsonArg, sessionArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";

export const hold: Command = {
  meta: { name: "hold", description: "Keep agents from typing into a session until it is released. People still can." },
  args: {
    ...sessionArg,
    reason: {
      type: "string",
      alias: "r",
      valueHint: "TEXT",
      description: "What agents are told, besides that they must wait",
    },
    ...jsonArg(),
  },
  examples: ['limpet hold 7 --reason "logging in, one moment"', "limpet release 7"],
  run: ({ args }) =>
    withHost(async (sessions) => {
      const session = await sessions.find(String(args["id"]));
      await sessions.hold(session.id, { reason: textOf(args, "reason") ?? null });
      if (isOn(args, "json")) printJson({ id: session.id, held: true });
      else print(`Held: ${describeName(session)}. Agents cannot type until: limpet release ${session.id}`);
    }),
};
