import { constants } from "node:os";
import { LimpetError } from "../../../base/limpet-error.ts";
import type { Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText } from "../../args/read-args.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const signal: Command = {
  name: "signal",
  description: "Send a signal to the program in the foreground of a session, as Ctrl+C does.",
  args: {
    ...sessionArg,
    signal: { type: "positional", description: "Its name or number: INT, SIGUSR1, 15" },
    all: { type: "boolean", short: "a", description: "Send it to every process of the session" },
    ...jsonArg(),
    ...atArg,
  },
  examples: ["limpet signal dev INT", "limpet signal 7 HUP", "limpet signal 7 STOP --all"],
  run: (args) => {
    const name = signalOf(requiredText(args, "signal"));
    const to = isOn(args, "all") ? "tree" : "foreground";
    return withHost(args, async (sessions) => {
      const session = await sessions.signal(requiredText(args, "id"), { signal: name, to });
      if (isOn(args, "json")) printJson({ ...session, signal: name, to });
      else print(`Sent ${name} to ${describeName(session)}.`);
    });
  },
};

/** Names with and without `SIG`, in any case, and numbers. */
function signalOf(text: string): NodeJS.Signals {
  const wanted = text.toUpperCase().replace(/^(?!SIG)/, "SIG");
  const found = Object.entries(constants.signals).find(([name, number]) => name === wanted || String(number) === text);
  if (found) return found[0] as NodeJS.Signals;
  throw new LimpetError("BAD_OPTION", `Unknown signal ${JSON.stringify(text)}. Give a name such as INT, or a number.`);
}
