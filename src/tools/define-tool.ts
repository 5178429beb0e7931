/** One tool, for any ecosystem: what a model is told of it, and what happens when it is called. */
import { z } from "zod";
import { lazy } from "../base/lazy.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { SessionService } from "../service/session-service.ts";
import type { Receipt } from "../service/turn.ts";
import { truncateMiddle } from "../text/budget/truncate-middle.ts";
import type { OutputSchema } from "./output-schema.ts";
import { parseArgs } from "./parse-args.ts";

const LONGEST_MESSAGE_BYTES = 4096;

export interface ToolContext {
  readonly sessions: SessionService;
  /** Who calls: output counts as read per caller. */
  readonly caller: string;
  /** Ends the waiting, never the program. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the receipt of an answer that holds output: whoever delivers it acknowledges that, or gives it back. */
  readonly onReceipt?: ((receipt: Receipt) => void) | undefined;
  /** Longer than this a call may not wait, whatever it asks for: its client would give it up. Default: no limit. */
  readonly longestWaitMs?: number | undefined;
}

/** What a tool returns: text for the model, the same as data for your code. */
export interface ToolResult {
  /** What the model reads. */
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  /** What a model that can see looks at, beside the text. */
  readonly image?: ToolImage | undefined;
  readonly isError: boolean;
}

/** A picture; only some ecosystems take SVG as one. */
export interface ToolImage {
  readonly mediaType: "image/png" | "image/svg+xml";
  readonly base64: string;
}

/** Hints for a client that asks its user before some calls. */
export interface ToolAnnotations {
  readonly title: string;
  /** Changes nothing. */
  readonly readOnlyHint: boolean;
  /** May destroy something. */
  readonly destructiveHint: boolean;
  /** The same call twice does no more than once. */
  readonly idempotentHint: boolean;
  /** Reaches beyond this machine. */
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** JSON Schema of what `structured` holds unless it is an error. */
  readonly outputSchema?: OutputSchema | undefined;
  readonly annotations: ToolAnnotations;
  /** Never rejects, except with the signal's reason when it is aborted. */
  call(args: unknown, context: ToolContext): Promise<ToolResult>;
}

interface ToolDefinition<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Made when it is first needed: a server starts with many tools, and zod takes its time for each. */
  readonly params: () => Shape;
  /** A schema to the letter, where the one made from `params` is not it. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly outputSchema?: OutputSchema;
  readonly run: (args: z.output<z.ZodObject<Shape>>, context: ToolContext) => Promise<Omit<ToolResult, "isError">>;
  /** How an error reads. Default: its code and its message. */
  readonly describeError?: (error: LimpetError) => Omit<ToolResult, "isError">;
}

export function defineTool<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): Tool {
  const { name, description, annotations, params, run, describeError = describeLimpetError } = definition;
  // Kept: zod writes and compiles a function for each object schema that it is given.
  const schema = lazy(() => z.object(params()));
  const inputSchema = lazy(() => definition.inputSchema ?? toJsonSchema(schema().strict()));
  return {
    name,
    description,
    annotations,
    get inputSchema() {
      return inputSchema();
    },
    outputSchema: definition.outputSchema,
    async call(args, context) {
      try {
        return { ...(await run(parseArgs(name, schema(), args), context)), isError: false };
      } catch (error) {
        if (!(error instanceof LimpetError)) throw error;
        return { ...describeError(shortened(error)), isError: true };
      }
    },
  };
}

export function describeLimpetError({ code, message }: LimpetError): Omit<ToolResult, "isError"> {
  return { text: `${code}: ${message}`, structured: { error: { code, message } } };
}

/** A message quotes what it was given, which may be of any length. */
function shortened(error: LimpetError): LimpetError {
  const { text, cut } = truncateMiddle(error.message, LONGEST_MESSAGE_BYTES);
  return cut ? new LimpetError(error.code, text, { cause: error }) : error;
}

/** Without what only costs tokens. */
function toJsonSchema(schema: z.ZodObject): Record<string, unknown> {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>;
  return rest;
}
