/** What a model sent, checked: every mistake is named, with what would be right. */
import { z } from "zod";
import { ShellError } from "../base/errors.ts";

const SHOWN_CHARS = 60;

export function parseArgs<Shape extends z.ZodRawShape>(
  tool: string,
  schema: z.ZodObject<Shape>,
  args: unknown,
): z.output<z.ZodObject<Shape>> {
  const given = requireObject(tool, args ?? {});
  // Looked for here, because zod passes over a key named __proto__.
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(schema.shape, name));
  const complaints = [
    ...(unknown.length > 0 ? [describeUnknown(tool, schema, unknown)] : []),
    ...Object.keys(given)
      .filter((name) => hasProto(given[name]))
      .map(describeProto),
  ];
  const parsed = z.object(schema.shape).safeParse(numbersFromText(schema, given));
  if (parsed.success && complaints.length === 0) return parsed.data as z.output<z.ZodObject<Shape>>;
  const issues = parsed.error?.issues ?? [];
  // Of one value, the same is said only once.
  const wrong = new Set(issues.map((issue) => describeIssue(issue, given)));
  throw new ShellError("BAD_OPTION", [...complaints, ...wrong].join(" "));
}

function requireObject(tool: string, args: unknown): Readonly<Record<string, unknown>> {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args as Record<string, unknown>;
  throw new ShellError("BAD_OPTION", `${tool} was given ${show(args)}. Give an object with its parameters.`);
}

/** Some models write numbers as text. */
function numbersFromText(schema: z.ZodObject, args: Readonly<Record<string, unknown>>): unknown {
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

function describeIssue(issue: z.core.$ZodIssue, args: Readonly<Record<string, unknown>>): string {
  const where = issue.path.map(String).join(".");
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], args);
  const wanted = describeWanted(issue);
  return value === undefined
    ? `${where} is missing. ${capital(wanted)}.`
    : `${where} is ${show(value)}. ${capital(wanted)}.`;
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
