import { z } from "zod";
import { ACTS } from "./annotations.ts";
import { callResult, untilLine } from "./answer/call-result.ts";
import { describeResult } from "./answer/describe-result.ts";
import { callFields, fields, optionalCallFields } from "./answer/output-schema.ts";
import { newReadTag } from "./answer/tags.ts";
import { takeTurn } from "./answer/take-turn.ts";
import { foldLines, outputTokens, requirePattern, sessionKey, waitMs } from "./args/params.ts";
import { describeTypingFailure, turnInput } from "./args/typing.ts";
import { defineTool, type Tool } from "./define-tool.ts";

const MAX_KEYS = 1_000;

export const writeStdin: Tool = defineTool({
  name: "write_stdin",
  description:
    'Type into a session and get all its output since your last read. "\\n" is Enter, "\\u0003" Ctrl-C; with nothing to type it only reads. ' +
    "Returns when the program waits for input again, exits, or after yield_time_ms.",
  annotations: { title: "Type into a session", ...ACTS },
  params: () => ({
    session_id: sessionKey(),
    chars: z.string().default("").describe("some full-screen programs read \\n as Ctrl+J: press Enter with keys"),
    keys: z
      .array(z.string())
      .max(MAX_KEYS, `pass at most ${MAX_KEYS}`)
      .optional()
      .describe("pressed after chars: Enter, Up, Ctrl+X, F1, Shift+Tab, Click(row,col), WheelUp(row,col)"),
    paste: z.boolean().default(false).describe("chars as a paste"),
    screen: z.boolean().default(false).describe("return the screen; the output stays unread"),
    yield_time_ms: waitMs(10_000),
    max_output_tokens: outputTokens(),
    fold: foldLines(),
    until: z.string().optional().describe("regex: return as soon as new output matches"),
    since: z.enum(["unread", "now"]).default("unread").describe("now: skip output from before this call"),
  }),
  outputSchema: fields(callFields, optionalCallFields),
  async run(args, context) {
    if (args.until !== undefined) await requirePattern(args.until);
    const input = turnInput({ chars: args.chars, keys: args.keys, isPaste: args.paste });
    const tag = newReadTag();
    const turn = await describeTypingFailure(
      context,
      args.session_id,
      takeTurn(context, {
        on: { kind: "session", key: args.session_id },
        skipUnread: args.since === "now",
        input,
        wait: {
          kind: "output",
          deadlineMs: args.yield_time_ms,
          ...(args.until === undefined ? {} : { until: args.until }),
        },
        read: args.screen
          ? { kind: "screen" }
          : { kind: "unread", maxTokens: args.max_output_tokens, fold: args.fold, tag },
      }),
    );
    const { result, remarks } = callResult(turn, { readTag: tag, deadlineLine: untilLine(args.until) });
    return { text: describeResult(result, remarks), structured: { ...result } };
  },
});
