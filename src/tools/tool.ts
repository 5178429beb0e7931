/** One tool, for any ecosystem: what a model is told of it, and what happens when it is called. */
import { z } from "zod";
import { ShellError } from "../base/errors.ts";
import type { Sessions } from "../session/sessions.ts";

export interface ToolContext {
  readonly sessions: Sessions;
  /** Who calls: output counts as read per caller. */
  readonly caller: string;
  /** Ends the waiting, never the program. */
  readonly signal?: AbortSignal | undefined;
  /** Longer than this a call may not wait, whatever it asks for: its client would give it up. Default: no limit. */
  readonly longestWaitMs?: number | undefined;
}

export interface ToolResult {
  /** What the model reads. */
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
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
  /** JSON Schema of `structured`, where the tool promises one. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly annotations: ToolAnnotations;
  /** Never rejects, except with the signal's reason when it is aborted. */
  call(args: unknown, context: ToolContext): Promise<ToolResult>;
}

interface ToolDefinition<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly params: Shape;
  /** A schema to the letter, where the one made from `params` is not it. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly run: (args: z.output<z.ZodObject<Shape>>, context: ToolContext) => Promise<Omit<ToolResult, "isError">>;
  /** How an error reads. Default: its code and its message. */
  readonly describeError?: (error: ShellError) => Omit<ToolResult, "isError">;
}

export function defineTool<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): Tool {
  const { name, description, annotations, params, run, describeError = describeShellError } = definition;
  const schema = z.strictObject(params);
  return {
    name,
    description,
    annotations,
    inputSchema: definition.inputSchema ?? toJsonSchema(schema),
    outputSchema: definition.outputSchema,
    async call(args, context) {
      try {
        return { ...(await run(parseArgs(name, schema, args), context)), isError: false };
      } catch (error) {
        if (!(error instanceof ShellError)) throw error;
        return { ...describeError(error), isError: true };
      }
    },
  };
}

function parseArgs<Shape extends z.ZodRawShape>(tool: string, schema: z.ZodObject<Shape>, args: unknown) {
  const parsed = schema.safeParse(numbersFromText(schema, args ?? {}));
  if (parsed.success) return parsed.data;
  throw new ShellError("BAD_OPTION", parsed.error.issues.map((issue) => describeIssue(tool, schema, issue)).join(" "));
}

/** Some models write numbers as text. */
function numbersFromText(schema: z.ZodObject, args: unknown): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const isNumeric = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim());
      return [name, isNumeric && wantsNumber(schema, name) ? Number(value) : value];
    }),
  );
}

function wantsNumber(schema: z.ZodObject, name: string): boolean {
  const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  return field !== undefined && !field.safeParse("1").success && field.safeParse(1).success;
}

function describeIssue(tool: string, schema: z.ZodObject, issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `${tool} has no parameter ${keys}. It takes: ${Object.keys(schema.shape).join(", ")}.`;
  }
  const where = issue.path.join(".") || "The call";
  return `${where}: ${issue.message}.`;
}

export function describeShellError({ code, message }: ShellError): Omit<ToolResult, "isError"> {
  return { text: `${code}: ${message}`, structured: { error: { code, message } } };
}

/** Without what only costs tokens. */
function toJsonSchema(schema: z.ZodObject): Record<string, unknown> {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>;
  return rest;
}
