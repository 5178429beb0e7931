import { z } from "zod";
import { describeResult } from "../output/describe.ts";
import { answerAfterWait } from "./answer.ts";
import { callFields, fields } from "./output-schema.ts";
import { outputTokens, requirePattern, sessionKey, waitMs } from "./params.ts";
import { defineTool, type Tool } from "./tool.ts";
import { typeInto } from "./type-into.ts";

export const writeStdin: Tool = defineTool({
  name: "write_stdin",
  description:
    'Type into a session and get all its output since your last read. "\\n" is Enter, "\\u0003" Ctrl-C; chars "" only looks. ' +
    "Returns when the program waits for input again, exits, or after yield_time_ms.",
  annotations: {
    title: "Type into a session",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  params: {
    session_id: sessionKey(),
    chars: z.string(),
    yield_time_ms: waitMs(250),
    max_output_tokens: outputTokens(),
    until: z.string().optional().describe("regex: return as soon as new output matches"),
    since: z.enum(["unread", "now"]).default("unread"),
  },
  outputSchema: fields(callFields),
  async run(args, context) {
    const startedMs = performance.now();
    if (args.until !== undefined) requirePattern(args.until);
    const { sessions, caller } = context;
    const { id } = await sessions.identify(args.session_id);
    if (args.since === "now") await sessions.skipUnread(id, caller);
    if (args.chars !== "") await typeInto(context, id, args.chars);
    const { result, ...remarks } = await answerAfterWait(context, {
      keys: [id],
      deadlineMs: args.yield_time_ms,
      maxTokens: args.max_output_tokens,
      startedMs,
      ...(args.until === undefined ? {} : { until: args.until }),
    });
    return { text: describeResult(result, remarks), structured: { ...result } };
  },
});
