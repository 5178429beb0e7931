import type { Command } from "../../args/command.ts";
import { jsonArg } from "../../args/common-args.ts";
import { isOn, textOf } from "../../args/read-args.ts";
import { print, printJson } from "../../print/print.ts";
import { PERSON, withHost } from "../../with-host.ts";
import { approvalArg, approvalNumber } from "./approval-arg.ts";

export const deny: Command = {
  name: "deny",
  description: "Refuse what an agent wants to do.",
  args: {
    ...approvalArg,
    reason: { type: "string", short: "r", hint: "TEXT", description: "Why, or what to do instead; the agent sees it" },
    ...jsonArg(),
  },
  examples: ["limpet deny 3", 'limpet deny 3 --reason "push to a branch instead"'],
  run: (args) =>
    withHost({}, async ({ approvals }) => {
      const number = approvalNumber(args);
      const reason = textOf(args, "reason") ?? null;
      const decided = await approvals.decide(number, { kind: "deny", reason, by: PERSON });
      if (isOn(args, "json")) printJson(decided);
      else print(`Denied ${number}.`);
    }),
};
