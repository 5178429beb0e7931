import { keyOf } from "../../../service/listing/session-key.ts";
import type { Command } from "../../args/command.ts";
import { atArg, jsonArg, sessionArg } from "../../args/common-args.ts";
import { isOn, requiredText } from "../../args/read-args.ts";
import { describeName } from "../../print/describe-session.ts";
import { print, printJson } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const freeze: Command = {
  name: "freeze",
  description: "Pause everything in a session until you thaw it. Its output stays readable, and kill works at once.",
  args: { ...sessionArg, ...jsonArg(), ...atArg },
  examples: ["limpet freeze 7", "limpet thaw 7"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const session = await sessions.find(requiredText(args, "id"));
      const by = await sessions.freeze(session.id);
      if (isOn(args, "json")) printJson({ id: session.id, frozen: by });
      else print(`Frozen ${HOW[by]}: ${describeName(session)}. Resume it with: limpet thaw ${keyOf(session)}`);
    }),
};

const HOW = { cgroup: "by its control group", signals: "with SIGSTOP" } as const;
