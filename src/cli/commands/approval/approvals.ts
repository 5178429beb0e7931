import type { Approval } from "../../../service/approvals/approval.ts";
import { describeApproval } from "../../../tools/answer/describe-approval.ts";
import type { Command } from "../../args/command.ts";
import { atArg, jsonArg } from "../../args/common-args.ts";
import { isOn } from "../../args/read-args.ts";
import { followApprovals } from "../../events/follow-approvals.ts";
import { print, printJson, writeJsonLines, writeText } from "../../print/print.ts";
import { withHost } from "../../with-host.ts";

export const approvals: Command = {
  name: "approvals",
  description: "List the requests of agents that need your approval.",
  args: {
    watch: { type: "boolean", short: "w", description: "Keep running, and print each new request" },
    ...jsonArg("with --watch, one object per line"),
    ...atArg,
  },
  examples: ["limpet approvals", "limpet approvals --watch", "limpet approve 3"],
  run: (args) =>
    withHost(args, async (sessions) => {
      const isJson = isOn(args, "json");
      if (!isOn(args, "watch")) {
        const open = await sessions.approvals.list();
        if (isJson) printJson(open);
        else print(open.length === 0 ? "Nothing waits for approval." : open.map(textOf).join("\n\n"));
        return;
      }
      const stop = new AbortController();
      for await (const opened of followApprovals(sessions, stop.signal)) {
        const hasReader = await (isJson ? writeJsonLines([opened]) : writeText(`${textOf(opened)}\n\n`));
        // As with `| head`.
        if (!hasReader) break;
      }
      stop.abort();
    }),
};

function textOf(approval: Approval): string {
  const { number, leftMs, prefixes } = approval;
  const left = leftMs < 60_000 ? `${Math.ceil(leftMs / 1_000)} s` : `${Math.ceil(leftMs / 60_000)} min`;
  const scopes = prefixes.length > 0 ? "[--session|--always]" : "[--session]";
  const how = `limpet approve ${number} ${scopes} or limpet deny ${number}, within ${left}`;
  return `Approval ${number}: ${describeApproval(approval)}\nDecide:    ${how}`;
}
