import { z } from "zod";
import { describeExit } from "../base/exit.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { keyOf } from "../service/listing/session-key.ts";
import type { SessionState } from "../service/listing/session-state.ts";
import type { TurnRead } from "../service/turn/turn-request.ts";
import type { SessionReading } from "../session/read/read-digest.ts";
import { READ_ONLY } from "./annotations.ts";
import { answerText } from "./answer/answer-text.ts";
import { describeMatches } from "./answer/describe-matches.ts";
import { describeSession, hiddenLine, runningLines } from "./answer/describe-result.ts";
import { describeSurroundings } from "./answer/describe-surroundings.ts";
import {
  type FieldSchema,
  fields,
  flag,
  listOf,
  text as string,
  tagField,
  whole,
  wholeOrNull,
} from "./answer/output-schema.ts";
import { newReadTag, showShortTag } from "./answer/tags.ts";
import { takeTurn } from "./answer/take-turn.ts";
import { foldLines, integer, outputTokens, sessionKey } from "./args/params.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

const MAX_LINES = 1_000_000;
/** The token budget limits a search. This number only bounds its memory. */
const MAX_MATCHES = 2_000;

const cutField: FieldSchema = { ...fields({ from: whole, to: whole }), type: ["object", "null"] };

export const readOutput: Tool = defineTool({
  name: "read_output",
  description:
    "Read again what a session printed, also after it ended: a page from a cursor, the first (head) or last (tail) lines, or " +
    "lines that match a regex (grep, with context).",
  annotations: { title: "Read a session's output", ...READ_ONLY },
  params: () => ({
    session_id: sessionKey(),
    from: integer(0, Number.MAX_SAFE_INTEGER).default(0),
    head: integer(1, MAX_LINES).optional(),
    tail: integer(1, MAX_LINES).optional(),
    grep: z.string().optional(),
    context: integer(0, 100).default(0),
    raw: z.boolean().default(false).describe("with colour codes and redraws"),
    fold: foldLines(),
    max_output_tokens: outputTokens(),
  }),
  outputSchema: fields(
    { session_id: whole, truncated: flag, cursor: whole },
    {
      ...tagField,
      output: string,
      original_token_count: wholeOrNull,
      cut: cutField,
      dropped_bytes: whole,
      total_matches: whole,
      lines: listOf(fields({ line: whole, cursor: whole, text: string, is_match: flag })),
    },
  ),
  async run(args, context) {
    const { session_id: key, from, max_output_tokens: maxTokens } = args;
    requireOneOf({ head: args.head, tail: args.tail, grep: args.grep });
    const readTag = newReadTag();
    const turn = await takeTurn(context, { on: { kind: "session", key }, read: readOf(args, readTag) });
    const { session, matches, output } = turn;
    const { notes, others } = describeSurroundings(turn);
    const about = [...notes, ...runningLines(others)];
    if (matches) {
      const { header, text, tag, structured } = describeMatches(matches, { from, maxTokens, readTag });
      return {
        text: answerText([describeWhich(session), ...header, ...about], { text, tag, isOptional: true }),
        structured: { session_id: keyOf(session), ...structured },
      };
    }
    const reading = output as SessionReading;
    const { output: text, tag, hasMarks } = showShortTag(readTag, reading.text);
    const header = [
      describeWhich(session),
      ...describeReading(reading),
      ...describeEnd(session, reading, from),
      ...about,
    ];
    return {
      text: answerText(header, { text, tag }),
      structured: { session_id: keyOf(session), ...readingFields({ ...reading, text }), ...(hasMarks ? { tag } : {}) },
    };
  },
});

interface ReadArgs {
  readonly from: number;
  readonly raw: boolean;
  readonly fold: boolean;
  readonly max_output_tokens: number;
  readonly head?: number | undefined;
  readonly tail?: number | undefined;
  readonly grep?: string | undefined;
  readonly context: number;
}

function readOf(args: ReadArgs, tag: string): TurnRead {
  const { from, raw, fold, max_output_tokens: maxTokens, head, tail, grep, context } = args;
  if (grep !== undefined) return { kind: "search", pattern: grep, from, raw, context, maxMatches: MAX_MATCHES, tag };
  const options = { from, raw, fold, maxTokens, tag };
  if (head !== undefined) return { kind: "head", lines: head, ...options };
  return tail !== undefined ? { kind: "tail", lines: tail, ...options } : { kind: "page", ...options };
}

function requireOneOf(choices: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(choices).filter((name) => choices[name] !== undefined);
  if (given.length <= 1) return;
  throw new LimpetError("BAD_OPTION", `${given.join(" and ")} cannot be combined. Pass one of them.`);
}

function describeWhich(session: SessionState): string {
  const { exit } = session;
  return `Session ID ${describeSession(session)}${exit === null ? "" : `: ${describeExit(exit)}`}`;
}

function describeReading({ from, next, cut, originalTokenCount, hiddenLines }: SessionReading): string[] {
  const warning =
    cut &&
    `Warning: truncated output (original token count: ${originalTokenCount}); cut: from=${cut.from} to ${cut.to}`;
  const folded = hiddenLines > 0 ? [`${hiddenLine(hiddenLines)}; all: from=${from}, fold=false`] : [];
  return [`Next: from=${next}`, ...(warning ? [warning] : []), ...folded];
}

/** Says that nothing follows; empty if there is another page. */
function describeEnd({ exit, outputBytes }: SessionState, { next }: SessionReading, from: number): string[] {
  if (next < from) return [`The output ends at ${next}, before from=${from}`];
  if (next < outputBytes) return [];
  return [exit === null ? "This is the end of the output so far" : "This is the end of the output"];
}

function readingFields({ next, cut, originalTokenCount, text, droppedBytes }: SessionReading) {
  return {
    output: text,
    truncated: cut !== null,
    original_token_count: originalTokenCount,
    cut,
    cursor: next,
    dropped_bytes: droppedBytes,
  };
}
