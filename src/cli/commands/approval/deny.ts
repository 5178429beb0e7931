import type { Command } from "../../args/command.ts";
import { atArg, jsonArg } from "../../args/common-args.ts";
import { isOn, textOf } from "../../args/read-args.ts";
import { print, printJson } from "../../print/print.ts";
import { requirePerson } from "../../require-outside-session.ts";
import { PERSON, withHost } from "../../with-host.ts";
import { approvalArg, approvalNumber } from "./approval-arg.ts";

export const deny: Command = {
  name: "deny",
  description: "Deny a request of an agent.",
  args: {
    ...approvalArg,
    reason: { type: "string", short: "r", hint: "TEXT", description: "Why, or what to do instead; the agent sees it" },
    ...jsonArg(),
    ...atArg,
  },
  examples: ["limpet deny 3", 'limpet deny 3 --reason "push to a branch instead"'],
  async run(args) {
    // A host elsewhere cannot see that this command runs inside a session here.
    if (textOf(args, "at") !== undefined) await requirePerson("limpet deny");
    await withHost(args, async ({ approvals }) => {
      const number = approvalNumber(args);
      const reason = textOf(args, "reason") ?? null;
      const decided = await approvals.decide(number, { kind: "deny", reason, by: PERSON });
      if (isOn(args, "json")) printJson(decided);
      else print(`Denied ${number}.`);
    });
  },
};
