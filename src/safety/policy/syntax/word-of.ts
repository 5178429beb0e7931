/** What a word of a parse expands to, as far as that is known without running anything. Pure. */
import type { ShellWord } from "./simple-command.ts";

/** As much of the parser's words as is needed here. */
interface ParsedWord {
  readonly text: string;
  readonly value: string;
  readonly parts?: readonly ParsedPart[] | undefined;
}

interface ParsedPart {
  readonly type: string;
  readonly text: string;
  readonly value?: string;
  readonly parts?: readonly ParsedPart[] | undefined;
}

export function wordOf({ text, value, parts }: ParsedWord): ShellWord {
  // A tilde stands for a directory, which depends on a variable.
  if (text.startsWith("~")) return { text, literal: undefined, start: "~", canSplit: false };
  const literal = parts ? literalOf(parts) : value;
  if (literal !== undefined || !parts) return { text, literal, start: literal ?? "", canSplit: false };
  // The second field of an unquoted expansion can begin with anything. The fields of a file name pattern all begin
  // alike.
  const splits = parts.some(canSplit);
  return { text, literal, start: splits ? "" : startOf(parts), canSplit: splits || parts.some(canMultiply) };
}

export function unknownWord(text: string): ShellWord {
  return { text, literal: undefined, start: "", canSplit: true };
}

/**
 * Escapes that all versions of bash read alike, in every locale: not `\x{72}`, `\cx`, a NUL byte that ends the text, or
 * characters beyond ASCII.
 */
const PLAIN_ANSI_C =
  /^\$'(?:[^\\]|\\(?:[abeEfnrtv\\'"?]|x(?!00)[0-7][\da-fA-F](?![\da-fA-F])|(?!000)[01][0-7]{2}|u(?!0000)00[0-7][\da-fA-F]))*'$/;

/** Undefined if it depends on when and where it is expanded. */
function literalOf(parts: readonly ParsedPart[]): string | undefined {
  const values = parts.map(literalPart);
  return values.includes(undefined) ? undefined : values.join("");
}

function literalPart({ type, text, value, parts = [] }: ParsedPart): string | undefined {
  switch (type) {
    case "Literal":
    case "SingleQuoted":
      return value;
    case "AnsiCQuoted":
      return PLAIN_ANSI_C.test(text) ? value : undefined;
    case "DoubleQuoted":
      return literalOf(parts);
    default:
      return undefined;
  }
}

function startOf(parts: readonly ParsedPart[]): string {
  const firstUnknown = parts.findIndex((part) => literalPart(part) === undefined);
  const known = literalOf(parts.slice(0, firstUnknown)) ?? "";
  const unknown = parts[firstUnknown];
  return unknown?.type === "DoubleQuoted" ? known + startOf(unknown.parts ?? []) : known;
}

const LISTS = /^\$(?:@|\{.*@)/s;

/** Always one number, or nothing. */
const NUMBERS = /^\$[?#$!]$/;

function canSplit({ type, text, parts = [] }: ParsedPart): boolean {
  switch (type) {
    case "SimpleExpansion":
      return !NUMBERS.test(text);
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return true;
    case "DoubleQuoted":
      return parts.some((part) => LISTS.test(part.text));
    case "BraceExpansion":
      return /[$`]/.test(text);
    default:
      return parts.some(canSplit);
  }
}

/** A pattern becomes the names of all files that match, braces become several words. */
function canMultiply({ type }: ParsedPart): boolean {
  return type === "Glob" || type === "ExtendedGlob" || type === "BraceExpansion";
}
