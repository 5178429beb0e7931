import { z } from "zod";
import type { GrepLine } from "../output/grep.ts";
import { readOutputSchema } from "./output-schemas.ts";
import { integer, outputTokens, sessionKey } from "./params.ts";
import { defineTool, type Tool } from "./tool.ts";

const MOST_LINES = 1_000_000;

export const readOutput: Tool = defineTool({
  name: "read_output",
  description:
    "Read again what a session printed, also after its end: from a cursor, the first (head) or last (tail) lines, or the " +
    "lines that match a regex (grep, with context). Returns at once.",
  annotations: {
    title: "Read a session's output",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  params: {
    session_id: sessionKey(),
    from: integer(0, Number.MAX_SAFE_INTEGER).default(0),
    head: integer(1, MOST_LINES).optional(),
    tail: integer(1, MOST_LINES).optional(),
    grep: z.string().optional(),
    context: integer(0, 100).default(0),
    raw: z.boolean().default(false).describe("with control sequences"),
    max_output_tokens: outputTokens(),
  },
  outputSchema: readOutputSchema,
  async run(args, { sessions }) {
    const { session_id: key, raw } = args;
    const state = await sessions.identify(key);
    const options = { from: args.from, raw, maxTokens: args.max_output_tokens };
    if (args.grep !== undefined) {
      const { lines, totalMatches } = await sessions.grep(key, args.grep, {
        from: args.from,
        raw,
        context: args.context,
      });
      const text = [`${totalMatches} matching lines`, ...lines.map(describeLine)].join("\n");
      return { text, structured: { session_id: state.id, total_matches: totalMatches, lines } };
    }
    const reading =
      args.head !== undefined
        ? await sessions.head(key, args.head, options)
        : args.tail !== undefined
          ? await sessions.tail(key, args.tail, options)
          : await sessions.text(key, options);
    const cut =
      reading.cut &&
      `Warning: truncated output (original token count: ${reading.originalTokenCount}); cut: from=${reading.cut.from} to ${reading.cut.to}`;
    const text = [`Next: from=${reading.next}`, ...(cut ? [cut] : []), "Output:", reading.text].join("\n");
    return {
      text,
      structured: {
        session_id: state.id,
        output: reading.text,
        truncated: reading.cut !== null,
        original_token_count: reading.originalTokenCount,
        cut: reading.cut,
        cursor: reading.next,
        dropped_bytes: reading.droppedBytes,
      },
    };
  },
});

/** As grep itself writes it: a colon behind the number of a match, a dash behind that of its surroundings. */
function describeLine({ line, isMatch, text }: GrepLine): string {
  return `${line}${isMatch ? ":" : "-"} ${text}`;
}
