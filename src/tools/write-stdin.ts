import { z } from "zod";
import { ACTS } from "./annotations.ts";
import { callResult, untilLine } from "./answer/call-result.ts";
import { describeResult } from "./answer/describe-result.ts";
import { describeUnfinishedLine } from "./answer/describe-unfinished-line.ts";
import { callFields, fields, optionalCallFields } from "./answer/output-schema.ts";
import { newReadTag } from "./answer/tags.ts";
import { takeTurn } from "./answer/take-turn.ts";
import { anyWaitMs, foldLines, outputTokens, requirePattern, sessionKey } from "./args/params.ts";
import { describeTypingFailure, turnInput } from "./args/typing.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

const MAX_KEYS = 1_000;
const TYPING_MS = 10_000;
/** Only the end of the program ends such a wait early, so the default is short for a model that only wants to read. */
const READING_MS = 250;

export const writeStdin: Tool = defineTool({
  name: "write_stdin",
  description:
    'Type into a session and get its output since your last read. "\\n" is Enter, "\\u0003" Ctrl-C. ' +
    "Returns when the program waits for input again, exits, or after yield_time_ms. " +
    "With nothing to type, waits for its exit or yield_time_ms.",
  annotations: { title: "Type into a session", ...ACTS },
  params: () => ({
    session_id: sessionKey(),
    chars: z.string().default("").describe("in full-screen programs, press Enter with keys"),
    keys: z
      .array(z.string())
      .max(MAX_KEYS, `pass at most ${MAX_KEYS}`)
      .optional()
      .describe("after chars: Enter, Up, Ctrl+X, F1, Shift+Tab, Click(row,col), WheelUp(row,col)"),
    // Not described: an answer about a password prompt says how to use it.
    secret: z.string().optional(),
    paste: z.boolean().default(false),
    screen: z.boolean().default(false).describe("return the screen"),
    yield_time_ms: anyWaitMs().optional().describe(`default ${TYPING_MS}; with nothing to type ${READING_MS}`),
    max_output_tokens: outputTokens(),
    fold: foldLines(),
    until: z.string().optional().describe("regex"),
    since: z.enum(["unread", "now"]).default("unread").describe("now: skip earlier output"),
  }),
  outputSchema: fields(callFields, optionalCallFields),
  async run(args, context) {
    if (args.until !== undefined) await requirePattern(args.until);
    const input = turnInput({ chars: args.chars, keys: args.keys, isPaste: args.paste, secret: args.secret });
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
          deadlineMs: args.yield_time_ms ?? (input ? TYPING_MS : READING_MS),
          onInput: input !== undefined,
          ...(args.until === undefined ? {} : { until: args.until }),
        },
        read: args.screen
          ? { kind: "screen" }
          : { kind: "unread", maxTokens: args.max_output_tokens, fold: args.fold, tag },
      }),
    );
    const { result, remarks } = callResult(turn, { readTag: tag, deadlineLine: untilLine(args.until) });
    const unfinished = describeUnfinishedLine({
      chars: args.chars,
      keys: args.keys,
      output: result.output,
      waitingFor: result.waiting_for,
      isIdle: turn.session.isIdle,
      hasTerminal: result.running && turn.session.size !== null,
    });
    const text = describeResult(result, { ...remarks, notes: [...unfinished, ...remarks.notes] });
    return { text, structured: { ...result } };
  },
});
