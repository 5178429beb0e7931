import { LimpetError } from "../../../base/limpet-error.ts";
import type { ApprovalScope, ApprovalService } from "../../../service/approvals/approval.ts";
import { describeApproval } from "../../../tools/answer/describe-approval.ts";
import type { Args, Command } from "../../args/command.ts";
import { atArg, jsonArg } from "../../args/common-args.ts";
import { isOn, textOf } from "../../args/read-args.ts";
import { print, printJson } from "../../print/print.ts";
import { requirePerson } from "../../require-outside-session.ts";
import { agentPolicy } from "../../settings/settings.ts";
import { PERSON, withHost } from "../../with-host.ts";
import { approvalArg, approvalNumber } from "./approval-arg.ts";

export const approve: Command = {
  name: "approve",
  description: "Approve a request of an agent, once or for longer.",
  args: {
    ...approvalArg,
    session: {
      type: "boolean",
      description: "Also approve later requests of the same kind, while the agent is connected",
    },
    always: { type: "boolean", description: "Also add a rule to policy.json that allows it" },
    ...jsonArg(),
    ...atArg,
  },
  examples: ["limpet approve 3", "limpet approve 3 --session", "limpet approve 3 --always"],
  async run(args) {
    // A host elsewhere cannot see that this command runs inside a session here.
    if (textOf(args, "at") !== undefined) await requirePerson("limpet approve");
    await withHost(args, async ({ approvals }) => {
      const number = approvalNumber(args);
      const scope = scopeOf(args);
      if (scope === "rule") await requirePrefixes(approvals, number);
      const decided = await approvals.decide(number, { kind: "approve", scope, by: PERSON });
      const { ruleFile } = agentPolicy();
      if (scope === "rule") await ruleFile.allow(decided.prefixes);
      if (isOn(args, "json")) printJson(decided);
      else
        print(
          `Approved ${number}${scope === "session" ? " for this session" : ""}: ${describeApproval(decided)}${scope === "rule" ? `\nNew rule:  ${ruleFile.path}` : ""}`,
        );
    });
  },
};

/** Before the decision, which cannot be taken back. */
async function requirePrefixes(approvals: ApprovalService, number: number): Promise<void> {
  const approval = (await approvals.list()).find((each) => each.number === number);
  if (!approval || approval.prefixes.length > 0) return;
  throw new LimpetError(
    "BAD_OPTION",
    `A prefix rule cannot allow approval ${number}. Approve it without --always, or edit policy.json.`,
  );
}

function scopeOf(args: Args): ApprovalScope {
  const [session, always] = [isOn(args, "session"), isOn(args, "always")];
  if (session && always) {
    throw new LimpetError("BAD_OPTION", "--session and --always cannot be combined. Leave one of them out.");
  }
  if (always) return "rule";
  return session ? "session" : "once";
}
