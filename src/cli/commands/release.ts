import type { Command } from "../command.ts";
import { describeName } from "../describe.ts";
import { isOn } from "../flags.ts";
import { print, printJson } from "../print.ts";
import { jsonArg, sessionArg } from "../session-arg.ts";
import { withHost } from "../with-host.ts";

export const release: Command = {
  meta: { name: "release", description: "Let agents type into a session again." },
  args: {
    ...sessionArg,
    ...jsonArg(),
  },
  examples: ["limpet release 7"],
  run: ({ args }) =>
    withHost(async (sessions) => {
      const session = await sessions.find(String(args["id"]));
      const wasHeld = await sessions.release(session.id);
      if (isOn(args, "json")) printJson({ id: session.id, held: false, wasHeld });
      else print(wasHeld ? `Released: ${describeName(session)}` : `${describeName(session)} was not held.`);
    }),
};
