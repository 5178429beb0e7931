/** Checks the arguments of a call. The error names every mistake and what to pass instead. */
import { homedir } from "node:os";
import type { z } from "zod";
import { LimpetError } from "../../base/limpet-error.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import { quoteLine, visibleLine } from "../../text/clean/quote-line.ts";
import { nearestWords } from "../../text/search/nearest-words.ts";
import { coerceArgs } from "./coerce-args.ts";
import { type Args, acceptedNames, meaningOf, renameSynonyms, type SynonymTable } from "./synonyms.ts";

const SHOWN_CHARS = 60;

/** How a tool reads its arguments. */
export interface ArgsReader<Shape extends z.ZodRawShape> {
  /** The name of the tool, for errors. */
  readonly tool: string;
  readonly schema: z.ZodObject<Shape>;
  /** Names that stand for a parameter of this tool alone. */
  readonly synonyms?: Readonly<Record<string, string>> | undefined;
  /** Ignore every unknown parameter, also one that looks misspelt. Default false. */
  readonly isLenient?: boolean | undefined;
  /** Directories are elsewhere, so they stay as they are. Default false. */
  readonly isElsewhere?: ((args: Args) => boolean) | undefined;
}

export interface ParsedArgs<Shape extends z.ZodRawShape> {
  readonly args: z.output<z.ZodObject<Shape>>;
  /** Parameters that the tool does not have. */
  readonly ignored: readonly string[];
}

export function parseArgs<Shape extends z.ZodRawShape>(
  { tool, schema, synonyms, isLenient = false, isElsewhere = () => false }: ArgsReader<Shape>,
  args: unknown,
): ParsedArgs<Shape> {
  const sent = requireObject(tool, args ?? {});
  const table = { params: Object.keys(schema.shape), own: synonyms };
  const { args: given, mistakes } = renameSynonyms(sent, table);
  const ignored = Object.keys(given).filter((name) => !Object.hasOwn(schema.shape, name));
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(schema.shape, name)));
  const near = isLenient ? [] : ignored.map((name) => ({ name, meant: meantBy(name, table) }));
  const wrong = [
    ...mistakes,
    ...near.filter(({ meant }) => meant.length > 0).map((each) => describeMisspelling(tool, each)),
    ...Object.keys(known)
      .filter((name) => hasProto(known[name]))
      .map(describeProto),
  ];
  const here = { home: homedir(), cwd: workingDirectory };
  const parsed = schema.safeParse(coerceArgs(schema.shape, known, isElsewhere(known) ? undefined : here));
  if (parsed.success && wrong.length === 0) return { args: parsed.data, ignored };
  const issues = parsed.error?.issues ?? [];
  const strange = near.filter(({ meant }) => meant.length === 0).map(({ name }) => name);
  // A union can report the same mistake several times.
  const all = new Set([
    ...wrong,
    ...issues.map((issue) => describeIssue(issue, known)),
    // One of them may stand for what is missing.
    ...(strange.length > 0 ? [describeUnknown(tool, strange, table)] : []),
  ]);
  throw new LimpetError("BAD_OPTION", [...all].join(" "));
}

function requireObject(tool: string, args: unknown): Args {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args as Args;
  throw new LimpetError(
    "BAD_OPTION",
    `The arguments of ${tool} are ${show(args)}. Pass an object with its parameters.`,
  );
}

interface Misspelling {
  readonly name: string;
  /** The parameters whose names are like it. */
  readonly meant: readonly string[];
}

/** Empty if no parameter has a name like this one. */
function meantBy(name: string, table: SynonymTable): readonly string[] {
  const known = acceptedNames(table);
  const longer = known.filter((candidate) => candidate.startsWith(`${name}_`));
  const meant = [...nearestWords(name, known), ...longer].map((candidate) => meaningOf(candidate, table) ?? candidate);
  return [...new Set(meant)];
}

function describeMisspelling(tool: string, { name, meant }: Misspelling): string {
  return `${tool} has no parameter ${quoteLine(name)}. Did you mean ${meant.join(" or ")}?`;
}

function describeUnknown(tool: string, unknown: readonly string[], { params }: SynonymTable): string {
  return `${tool} has no parameter ${unknown.map(show).join(", ")}. It takes: ${params.join(", ") || "none"}.`;
}

function hasProto(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__");
}

function describeProto(name: string): string {
  return `${name} has a key named "__proto__", which is not allowed. Leave it out.`;
}

/** Quotes the value as it was sent, because that is what the model must change. */
function describeIssue(issue: z.core.$ZodIssue, args: Args): string {
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
  const text = visibleLine(JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
