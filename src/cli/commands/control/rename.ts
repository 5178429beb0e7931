import type { Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText } from "../../args/read-args.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const rename: Command = {
  name: "rename",
  description: "Give a running session another name, to use in place of its id.",
  args: {
    ...sessionArg,
    name: { type: "positional", description: "The new name: visible characters, not only digits, no /" },
    ...jsonArg(),
    ...atArg,
  },
  examples: ["limpet rename 7 dev"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const renamed = await sessions.rename(requiredText(args, "id"), requiredText(args, "name"));
      if (isOn(args, "json")) printJson(renamed);
      else print(`Renamed: ${describeName(renamed)}`);
    }),
};
