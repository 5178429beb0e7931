/** What a model sent, checked: every mistake is named, with what would be right. */
import { homedir } from "node:os";
import type { z } from "zod";
import { LimpetError } from "../base/limpet-error.ts";
import { coerceArgs } from "./coerce-args.ts";

const SHOWN_CHARS = 60;

export function parseArgs<Shape extends z.ZodRawShape>(
  tool: string,
  schema: z.ZodObject<Shape>,
  args: unknown,
): z.output<z.ZodObject<Shape>> {
  const given = requireObject(tool, args ?? {});
  // Looked for here and not by the schema, because zod passes over a key named __proto__.
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(schema.shape, name));
  const complaints = [
    ...(unknown.length > 0 ? [describeUnknown(tool, schema, unknown)] : []),
    ...Object.keys(given)
      .filter((name) => hasProto(given[name]))
      .map(describeProto),
  ];
  const meant = coerceArgs(schema.shape, given, { home: homedir() });
  const parsed = schema.safeParse(meant);
  if (parsed.success && complaints.length === 0) return parsed.data;
  const issues = parsed.error?.issues ?? [];
  // Of one value, the same is said only once.
  const wrong = new Set(issues.map((issue) => describeIssue(issue, given)));
  throw new LimpetError("BAD_OPTION", [...complaints, ...wrong].join(" "));
}

function requireObject(tool: string, args: unknown): Readonly<Record<string, unknown>> {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args as Record<string, unknown>;
  throw new LimpetError("BAD_OPTION", `${tool} was given ${show(args)}. Give an object with its parameters.`);
}

function hasProto(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__");
}

function describeProto(name: string): string {
  return `${name} has a key named "__proto__", which is not passed on. Leave it out.`;
}

function describeUnknown(tool: string, schema: z.ZodObject, unknown: readonly string[]): string {
  const takes = Object.keys(schema.shape).join(", ") || "none";
  return `${tool} has no parameter ${unknown.map(show).join(", ")}. It takes: ${takes}.`;
}

/** With the value as it was sent: that is what must be changed. */
function describeIssue(issue: z.core.$ZodIssue, args: Readonly<Record<string, unknown>>): string {
  const { where, value } = find(issue.path, args);
  const wanted = capital(describeWanted(issue));
  return value === undefined ? `${where} is missing. ${wanted}.` : `${where} is ${show(value)}. ${wanted}.`;
}

/** Where a list was made of a single value, that value. */
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

/** The words of a parameter's own range, where it has one. */
function describeWanted(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value")
    return `give one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) return issue.message;
  switch (issue.expected) {
    case "string":
      return "give a text";
    case "boolean":
      return "give true or false";
    case "array":
      return "give a list";
    case "record":
    case "object":
      return "give an object";
    default:
      return `give a ${issue.expected}`;
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
