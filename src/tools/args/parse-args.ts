/** Checks the arguments of a call. The error names every mistake and what to pass instead. */
import { homedir } from "node:os";
import type { z } from "zod";
import { LimpetError } from "../../base/limpet-error.ts";
import { coerceArgs } from "./coerce-args.ts";

const SHOWN_CHARS = 60;

export function parseArgs<Shape extends z.ZodRawShape>(
  tool: string,
  schema: z.ZodObject<Shape>,
  args: unknown,
): z.output<z.ZodObject<Shape>> {
  const given = requireObject(tool, args ?? {});
  // Checked here and not by the schema, because zod ignores a key named __proto__.
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(schema.shape, name));
  const mistakes = [
    ...(unknown.length > 0 ? [describeUnknown(tool, schema, unknown)] : []),
    ...Object.keys(given)
      .filter((name) => hasProto(given[name]))
      .map(describeProto),
  ];
  const coerced = coerceArgs(schema.shape, given, { home: homedir() });
  const parsed = schema.safeParse(coerced);
  if (parsed.success && mistakes.length === 0) return parsed.data;
  const issues = parsed.error?.issues ?? [];
  // A union can report the same mistake several times.
  const wrong = new Set(issues.map((issue) => describeIssue(issue, given)));
  throw new LimpetError("BAD_OPTION", [...mistakes, ...wrong].join(" "));
}

function requireObject(tool: string, args: unknown): Readonly<Record<string, unknown>> {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args as Record<string, unknown>;
  throw new LimpetError(
    "BAD_OPTION",
    `The arguments of ${tool} are ${show(args)}. Pass an object with its parameters.`,
  );
}

function hasProto(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__");
}

function describeProto(name: string): string {
  return `${name} has a key named "__proto__", which is not allowed. Leave it out.`;
}

function describeUnknown(tool: string, schema: z.ZodObject, unknown: readonly string[]): string {
  const takes = Object.keys(schema.shape).join(", ") || "none";
  return `${tool} has no parameter ${unknown.map(show).join(", ")}. It takes: ${takes}.`;
}

/** Quotes the value as it was sent, because that is what the model must change. */
function describeIssue(issue: z.core.$ZodIssue, args: Readonly<Record<string, unknown>>): string {
  const { where, value } = find(issue.path, args);
  const remedy = capital(describeExpected(issue));
  return value === undefined ? `${where} is missing. ${remedy}.` : `${where} is ${show(value)}. ${remedy}.`;
}

/** If a single value was coerced to a list, finds that value. */
function find(path: readonly PropertyKey[], args: unknown): { readonly where: string; readonly value: unknown } {
  const walked: string[] = [];
  let value = args;
  for (const key of path) {
    if (typeof value !== "object" || value === null) break;
    value = (value as Record<PropertyKey, unknown>)[key];
    walked.push(String(key));
  }
  return { where: walked.join("."), value };
}

/** Uses the parameter's own error text, if it has one. */
function describeExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value")
    return `pass one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) return issue.message;
  switch (issue.expected) {
    case "string":
      return "pass a string";
    case "boolean":
      return "pass true or false";
    case "array":
      return "pass an array";
    case "record":
    case "object":
      return "pass an object";
    default:
      return `pass a ${issue.expected}`;
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
