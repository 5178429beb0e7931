import type { Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText, textOf } from "../../args/read-args.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const release: Command = {
  name: "release",
  description: "Let agents type into a session again.",
  args: {
    ...sessionArg,
    note: { type: "string", short: "n", hint: "TEXT", description: "What you did, or what to do next; agents see it" },
    ...jsonArg(),
    ...atArg,
  },
  examples: ["limpet release 7", 'limpet release dev --note "logged in; go on"'],
  run: (args) =>
    withHost(args, async (sessions) => {
      const session = await sessions.find(requiredText(args, "id"));
      const wasHeld = await sessions.release(session.id, { note: textOf(args, "note") ?? null });
      if (isOn(args, "json")) printJson({ id: session.id, held: false, wasHeld });
      else print(wasHeld ? `Released: ${describeName(session)}` : `${describeName(session)} was not held.`);
    }),
};
