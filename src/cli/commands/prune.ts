import type { Command } from "../args/command.ts";
import { atArg, jsonArg } from "../args/common-args.ts";
import { isOn } from "../args/read-args.ts";
import { isRunning } from "../print/describe-session.ts";
import { print, printJson } from "../print/print.ts";
import { withHost } from "../with-host.ts";

export const prune: Command = {
  name: "prune",
  description: "Delete the output of sessions that have ended and left nothing running.",
  args: { ...atArg, ...jsonArg("the ids") },
  examples: ["limpet prune"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const all = await sessions.list({ ended: true, all: true });
      const ended = all.filter((session) => !isRunning(session) && session.left.length === 0);
      // Another command may have deleted one meanwhile.
      await Promise.all(ended.map(({ id }) => sessions.close(id, { force: false }).catch(() => undefined)));
      if (isOn(args, "json")) printJson(ended.map(({ id }) => id));
      else print(`Deleted ${ended.length} ended ${ended.length === 1 ? "session" : "sessions"}.`);
    }),
};
