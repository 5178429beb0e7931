/** The lines of a TOML file as far as an edit needs them: tables, keys and comments. Pure. */
import { isDeepStrictEqual } from "node:util";
import { isTomlTable, tryParseToml } from "./parse-toml.ts";

export type TomlPath = readonly string[];
export type TomlValue = string | number | readonly string[];

/** A table with its header: the lines from `from` up to, but not including, `to`. */
export interface TomlSection {
  readonly header: TomlPath;
  readonly from: number;
  readonly to: number;
}

/** Each line with its line end. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The tables of a file. */
export function sectionsOf(lines: readonly string[]): readonly TomlSection[] {
  const headers = lines.flatMap((line, from) => {
    const header = headerOf(line);
    // A line inside a multi-line text or list is not a header: the lines before it are not complete TOML.
    return header && tryParseToml(lines.slice(0, from).join("")) ? [{ header, from }] : [];
  });
  return headers.map((each, index) => ({ ...each, to: headers[index + 1]?.from ?? lines.length }));
}

function headerOf(line: string): TomlPath | undefined {
  if (!/^\s*\[/.test(line)) return undefined;
  const path: string[] = [];
  let value: unknown = tryParseToml(line);
  for (;;) {
    if (Array.isArray(value)) [value] = value;
    const [key] = isTomlTable(value) ? Object.keys(value) : [];
    if (key === undefined) return path.length > 0 ? path : undefined;
    path.push(key);
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
}

/** The lines of a table with this key set: in its place, with its comment, or else after the last key. */
export function setKey(body: readonly string[], [key, value]: readonly [string, TomlValue], eol: string): string[] {
  const at = body.findIndex((line) => isKeyLine(line, key));
  const printed = printKey(key, value);
  const line = body[at];
  if (line === undefined) {
    const after = body.findLastIndex((each) => !isBlankOrComment(each)) + 1;
    return [...body.slice(0, after), printed + eol, ...body.slice(after)];
  }
  if (isDeepStrictEqual(tryParseToml(line), tryParseToml(printed))) return [...body];
  const [indent = ""] = /^\s*/.exec(line) ?? [];
  return body.with(at, `${indent}${printed}${commentOf(line)}${/\r?\n$/.exec(line)?.[0] ?? eol}`);
}

export function isBlankOrComment(line: string): boolean {
  return /^\s*(?:#|$)/.test(line);
}

/** A JSON string is a valid TOML basic string. */
export function printKey(key: string, value: TomlValue): string {
  const isList = typeof value === "object";
  return `${key} = ${isList ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : JSON.stringify(value)}`;
}

function isKeyLine(line: string, key: string): boolean {
  const [before = ""] = line.split("=", 1);
  return line.includes("=") && before.trim().replace(/^(["'])(.*)\1$/, "$2") === key;
}

/** The comment behind a value, with the white space before it. A `#` in a text is not a comment. */
function commentOf(line: string): string {
  for (let at = line.indexOf("#"); at >= 0; at = line.indexOf("#", at + 1)) {
    const head = line.slice(0, at);
    if (tryParseToml(head)) return line.slice(head.trimEnd().length).trimEnd();
  }
  return "";
}
