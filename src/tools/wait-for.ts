import { z } from "zod";
import { LimpetError } from "../base/limpet-error.ts";
import { READ_ONLY } from "./annotations.ts";
import { callResult } from "./answer/call-result.ts";
import { describeResult } from "./answer/describe-result.ts";
import { approvalFields, callFields, fields, optionalCallFields } from "./answer/output-schema.ts";
import { newReadTag } from "./answer/tags.ts";
import { takeTurn } from "./answer/take-turn.ts";
import { waitForApproval } from "./answer/wait-for-approval.ts";
import { foldLines, integer, outputTokens, requirePattern, sessionKey, waitMs } from "./args/params.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

const DEFAULT_QUIET_MS = 1_000;

export const waitFor: Tool = defineTool({
  name: "wait_for",
  description:
    "Wait, without polling, until a session exits, waits for input, prints a match, goes quiet or listens on a port. " +
    "Without session_ids: the first of your sessions with news. Returns its new output.",
  annotations: { title: "Wait for a session", ...READ_ONLY },
  params: () => ({
    session_ids: z.array(sessionKey()).min(1, "pass at least one").optional(),
    until: z.string().optional().describe("regex"),
    events: z
      .array(z.enum(["exited", "matched", "input", "quiet", "listening"]))
      .default(["exited", "input"])
      .describe("default exited, input"),
    port: integer(1, 65_535).optional(),
    // Not described: APPROVAL_NEEDED says how to use it.
    approval: integer(1, Number.MAX_SAFE_INTEGER).optional(),
    quiet_ms: integer(1, 86_400_000).optional(),
    deadline_ms: waitMs(600_000),
    max_output_tokens: outputTokens(),
    fold: foldLines(),
  }),
  // With approval there are only the fields of that.
  outputSchema: fields({}, { ...callFields, ...optionalCallFields, ...approvalFields }),
  async run(args, context) {
    if (args.approval !== undefined) return await waitForApproval(args.approval, args.deadline_ms, context);
    if (args.events.includes("matched") && args.until === undefined) {
      throw new LimpetError("BAD_OPTION", "events has matched, but until is missing. Pass a regex as until.");
    }
    if (args.until !== undefined) await requirePattern(args.until);
    const wantsPort = args.port !== undefined || args.events.includes("listening");
    const quietMs = args.quiet_ms ?? (args.events.includes("quiet") ? DEFAULT_QUIET_MS : undefined);
    const tag = newReadTag();
    const turn = await takeTurn(context, {
      on: { kind: "several", keys: args.session_ids ?? "running" },
      wait: {
        kind: "output",
        onInput: args.events.includes("input"),
        deadlineMs: args.deadline_ms,
        ...(args.until === undefined ? {} : { until: args.until }),
        ...(wantsPort ? { port: args.port ?? ("any" as const) } : {}),
        ...(quietMs === undefined ? {} : { quietMs }),
      },
      read: { kind: "unread", maxTokens: args.max_output_tokens, fold: args.fold, tag },
    });
    const deadlineLine = "Deadline: what you waited for did not happen";
    const { result, remarks } = callResult(turn, { readTag: tag, deadlineLine });
    return { text: describeResult(result, remarks), structured: { ...result } };
  },
});
