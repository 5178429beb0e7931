import type { Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText } from "../../args/read-args.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const restart: Command = {
  name: "restart",
  description: "End a session and start its program again, with the same arguments, directory, size and name.",
  args: { ...sessionArg, ...jsonArg(), ...atArg },
  examples: ["limpet restart dev"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const { former, ...started } = await sessions.restart(requiredText(args, "id"));
      if (isOn(args, "json")) printJson({ ...started, former });
      else print(`Restarted ${describeName(former)} as ${describeName(started)}.`);
    }),
};
