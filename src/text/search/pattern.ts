import { types } from "node:util";
import { RE2JS } from "re2js";
import { LimpetError } from "../../base/limpet-error.ts";
import { type PatternScan, scanPattern } from "./scan-pattern.ts";

/** A longer pattern is a list of alternatives, not something to type. */
const LONGEST_SOURCE = 4_096;
/** Steps of the linear engine per character of text, in the worst case. */
const LARGEST_PROGRAM = 20_000;

/** Where a pattern matched, and what. */
export interface PatternMatch {
  readonly index: number;
  readonly text: string;
  /** Named groups that took part in the match. */
  readonly groups?: Readonly<Record<string, string>>;
  /**
   * All groups in order, named or not; null for one that did not match. Absent if the pattern has no groups.
   */
  readonly captures?: readonly (string | null)[];
}

/** A pattern whose search takes time in proportion to the text, whatever the pattern. */
export interface Pattern {
  readonly source: string;
  /** `native`: V8's engine, for patterns that it searches in linear time. `linear`: RE2's algorithm, for all others. */
  readonly engine: "native" | "linear";
  /** Text that every match contains; "" if none is known. */
  readonly literal: string;
  /** A match never contains a line feed. */
  readonly staysInLine: boolean;
  /** The first match, or null. */
  exec(text: string): PatternMatch | null;
  test(text: string): boolean;
}

/**
 * Compiles a pattern in JavaScript's syntax. In a text, ^ and $ match at the ends of lines; of a RegExp, the flags i,
 * m and s count. Lookaround and backreferences are refused with `BAD_PATTERN`, because no engine does them in bounded
 * time.
 */
export function compilePattern(source: string | RegExp): Pattern {
  if (typeof source !== "string" && !types.isRegExp(source)) throw notAPattern(source);
  const given = typeof source === "string" ? source : source.source;
  // Flags at the start, as in (?i), are common in other languages, but JavaScript lacks them.
  const inline = /^\(\?([ims]+)\)/.exec(given);
  const text = given.slice(inline?.[0].length ?? 0);
  // Output comes in lines, so ^ in a text means the beginning of one.
  const outer = typeof source === "string" ? "m" : source.flags;
  const flags = ["i", "m", "s"].filter((flag) => outer.includes(flag) || inline?.[1]?.includes(flag)).join("");
  if (text.length > LONGEST_SOURCE) {
    throw new LimpetError(
      "BAD_PATTERN",
      `The pattern has ${text.length} characters, more than ${LONGEST_SOURCE}. Search for a shorter part of it.`,
    );
  }
  const scan = scanPattern(text, flags);
  if (scan.trouble !== null) throw refusal(text, scan.trouble);
  const native = scan.isLinear ? tryNative(text, flags) : null;
  return native === null ? linearPattern(text, flags, scan) : nativePattern(text, native, scan);
}

/** JavaScript callers may pass anything. */
function notAPattern(given: unknown): LimpetError {
  return new LimpetError("BAD_PATTERN", `The pattern is ${String(given)}. Give a text or a regular expression.`);
}

function refusal(source: string, trouble: "lookaround" | "backreference"): LimpetError {
  const advice =
    trouble === "lookaround"
      ? "looks ahead or behind, which cannot be searched in bounded time. Match the text around it too"
      : "refers back to a group, which cannot be searched in bounded time. Write out what the group may hold";
  return new LimpetError("BAD_PATTERN", `The pattern ${JSON.stringify(source)} ${advice}, or search in two steps.`);
}

function tryNative(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}

function nativePattern(source: string, regExp: RegExp, scan: PatternScan): Pattern {
  return {
    source,
    engine: "native",
    literal: scan.literal,
    staysInLine: scan.staysInLine,
    exec(text) {
      const match = regExp.exec(text);
      if (match === null) return null;
      return {
        index: match.index,
        text: match[0],
        ...namedGroups(match.groups),
        ...allGroups(match.slice(1)),
      };
    },
    test: (text) => regExp.test(text),
  };
}

function linearPattern(source: string, flags: string, scan: PatternScan): Pattern {
  const compiled = compileLinear(source, flags);
  return {
    source,
    engine: "linear",
    literal: scan.literal,
    staysInLine: scan.staysInLine,
    exec(text) {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return null;
      const captures = Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1));
      return {
        index: matcher.start(),
        text: matcher.group() ?? "",
        ...namedGroups(matcher.getNamedGroups()),
        ...allGroups(captures),
      };
    },
    test: (text) => compiled.test(text),
  };
}

function compileLinear(source: string, flags: string): RE2JS {
  let bits = 0;
  if (flags.includes("i")) bits |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes("m")) bits |= RE2JS.MULTILINE;
  if (flags.includes("s")) bits |= RE2JS.DOTALL;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source), bits);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Our flags are put in front of the pattern that it quotes.
    const reason = message.replace(/^error parsing regexp: /, "").replace(/`\(\?[ims]+\)/, "`");
    throw new LimpetError(
      "BAD_PATTERN",
      `The pattern ${JSON.stringify(source)} cannot be read: ${reason}. Put a backslash before characters that are meant literally.`,
      { cause: error },
    );
  }
  const size = compiled.programSize();
  if (size <= LARGEST_PROGRAM) return compiled;
  throw new LimpetError(
    "BAD_PATTERN",
    `The pattern ${JSON.stringify(source)} takes ${size} steps per character, more than ${LARGEST_PROGRAM}. Use smaller repeat counts.`,
  );
}

function allGroups(captures: readonly (string | null | undefined)[]): Pick<PatternMatch, "captures"> {
  return captures.length === 0 ? {} : { captures: captures.map((text) => text ?? null) };
}

function namedGroups(groups: Readonly<Record<string, string | null | undefined>> | undefined): {
  readonly groups?: Readonly<Record<string, string>>;
} {
  const present = Object.entries(groups ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return present.length === 0 ? {} : { groups: Object.fromEntries(present) };
}
