import type { Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText } from "../../args/read-args.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const thaw: Command = {
  name: "thaw",
  description: "Resume a frozen session.",
  args: { ...sessionArg, ...jsonArg(), ...atArg },
  examples: ["limpet thaw 7", "limpet thaw dev"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const session = await sessions.find(requiredText(args, "id"));
      const wasFrozen = await sessions.thaw(session.id);
      if (isOn(args, "json")) printJson({ id: session.id, frozen: null, wasFrozen });
      else print(wasFrozen ? `Thawed: ${describeName(session)}` : `${describeName(session)} was not frozen.`);
    }),
};
