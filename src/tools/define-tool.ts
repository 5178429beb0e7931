/** Makes a tool from its parameters and its function: parses arguments, describes errors. */
import { z } from "zod";
import { lazy } from "../base/async/lazy.ts";
import { listSome } from "../base/format/list-some.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { truncateMiddle } from "../text/budget/truncate-middle.ts";
import { visibleLine, wordOrQuote } from "../text/clean/quote-line.ts";
import { type OutputSchema, withPlacedIds } from "./answer/output-schema.ts";
import { toJsonSchema, toShortSchema } from "./args/json-schema.ts";
import { parseArgs } from "./args/parse-args.ts";
import { elsewhere, placeName } from "./args/place.ts";
import type { Tool, ToolAnnotations, ToolContext, ToolResult } from "./tool.ts";

const MAX_MESSAGE_BYTES = 4096;
const MOST_IGNORED = 10;
const IGNORED_CHARS = 60;

interface ToolDefinition<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Created on first use: a server has many tools, and zod is slow to create each schema. */
  readonly params: () => Shape;
  /** It can start a program, so that it has a parameter `place` if there are places. Default false. */
  readonly isStarter?: true;
  /** Names that stand for a parameter of this tool alone, besides those that every tool accepts. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** What happens to parameters that the tool does not have. Default: a line of the answer names them. */
  readonly unknownParams?: "note" | "ignore";
  /** The exact schema, if the one made from `params` would differ. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly outputSchema?: OutputSchema;
  readonly run: (args: z.output<z.ZodObject<Shape>>, context: ToolContext) => Promise<Omit<ToolResult, "isError">>;
  /** The beginning of the message if the arguments do not fit. Default: none. */
  readonly argsErrorPrefix?: string;
  /** The text of an error. Default: its code and its message. */
  readonly describeError?: (error: LimpetError) => Omit<ToolResult, "isError">;
}

export function defineTool<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): Tool {
  return toolOf(definition, []);
}

function toolOf<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>, places: readonly string[]): Tool {
  const { name, description, annotations, params, run, synonyms, argsErrorPrefix = "" } = definition;
  const { describeError = describeLimpetError } = definition;
  // Cached, because zod compiles a function for each object schema.
  const where = definition.isStarter && places.length > 0 ? { place: placeName(places) } : {};
  const schema = lazy(() => z.object({ ...params(), ...where }));
  const isLenient = definition.unknownParams === "ignore";
  // Tools that imitate those of other agents keep the full schema.
  const toSchema = isLenient ? toJsonSchema : toShortSchema;
  const inputSchema = lazy(() => definition.inputSchema ?? toSchema(schema()));
  return {
    name,
    description,
    annotations,
    get inputSchema() {
      return inputSchema();
    },
    outputSchema: definition.outputSchema && withPlacedIds(definition.outputSchema, places),
    withPlaces: (names) => (names.length === 0 ? defineTool(definition) : toolOf(definition, names)),
    async call(args, context) {
      try {
        const parsed = parseWithPrefix(argsErrorPrefix, () =>
          parseArgs({ tool: name, schema: schema(), synonyms, isLenient, isElsewhere: elsewhere(places) }, args),
        );
        const { place } = parsed.args as { readonly place?: string };
        const at = place === undefined ? {} : { place };
        const result = await run(parsed.args as z.output<z.ZodObject<Shape>>, { ...context, tool: name, ...at });
        const text = isLenient ? result.text : withIgnored(parsed.ignored, result.text);
        return { ...result, text, isError: false };
      } catch (error) {
        if (!(error instanceof LimpetError)) throw error;
        return { ...describeError(shortened(error)), isError: true };
      }
    },
  };
}

/** A message quotes values that anybody may have chosen. */
export function describeLimpetError({ code, message }: LimpetError): Omit<ToolResult, "isError"> {
  const line = visibleLine(message);
  return { text: `${code}: ${line}`, structured: { error: { code, message: line } } };
}

function parseWithPrefix<T>(prefix: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (prefix === "" || !(error instanceof LimpetError)) throw error;
    throw new LimpetError(error.code, prefix + error.message, { cause: error });
  }
}

function withIgnored(ignored: readonly string[], text: string): string {
  if (ignored.length === 0) return text;
  const names = ignored.map((name) => wordOrQuote(name, { maxChars: IGNORED_CHARS }));
  return `Ignored ${ignored.length === 1 ? "parameter" : "parameters"}: ${listSome(names, MOST_IGNORED)}\n${text}`;
}

/** A message quotes values that may have any length. */
function shortened(error: LimpetError): LimpetError {
  const { text, cut } = truncateMiddle(error.message, MAX_MESSAGE_BYTES);
  return cut ? new LimpetError(error.code, text, { cause: error }) : error;
}
