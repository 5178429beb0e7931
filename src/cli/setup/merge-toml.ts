/** Puts a table into the text of a TOML file and touches nothing else: comments, order and other values stay. Pure. */
import { LimpetError } from "../../base/limpet-error.ts";
import { lineOf } from "./json-text.ts";
import { parseToml, type TomlStatement } from "./toml-text.ts";

export type TomlEntry = Readonly<Record<string, string | readonly string[]>>;

export function hasTable(text: string, path: readonly string[]): boolean {
  return parseToml(text).some((one) => one.kind === "table" && !one.isArray && isSame(one.path, path));
}

/** The same text comes back where nothing is to be done. */
export function mergeToml(text: string, path: readonly string[], entry: TomlEntry): string {
  if (hasTable(text, path)) {
    return Object.entries(entry).reduce((now, [key, value]) => setPair(now, [...path, key], value), text);
  }
  requireRoom(text, parseToml(text), path);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text.trim() === "" ? text : `${text}${text.endsWith("\n") ? "" : eol}${eol}`;
  return before + printTable(path, entry).join(eol) + eol;
}

export function printTable(path: readonly string[], entry: TomlEntry): string[] {
  return [`[${path.join(".")}]`, ...Object.entries(entry).map(([key, value]) => `${key} = ${print(value)}`)];
}

function setPair(text: string, path: readonly string[], value: string | readonly string[]): string {
  const statements = parseToml(text);
  const pair = statements.find((one) => one.kind === "pair" && isSame(one.path, path));
  if (pair?.kind === "pair") {
    const isThere = normal(text.slice(pair.valueStart, pair.end)) === normal(print(value));
    return isThere ? text : text.slice(0, pair.valueStart) + print(value) + text.slice(pair.end);
  }
  const parent = path.slice(0, -1);
  const at = statements.findIndex((one) => one.kind === "table" && isSame(one.path, parent));
  const after = statements.slice(at).findIndex((one, index) => index > 0 && one.kind === "table");
  const last = statements[after < 0 ? statements.length - 1 : at + after - 1];
  const lineEnd = text.indexOf("\n", last?.end ?? text.length);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const line = `${path.at(-1)} = ${print(value)}`;
  if (lineEnd < 0) return `${text}${eol}${line}${eol}`;
  return `${text.slice(0, lineEnd + 1)}${line}${eol}${text.slice(lineEnd + 1)}`;
}

/** Where the same is written in another way, a table of its own would make the file unreadable. */
function requireRoom(text: string, statements: readonly TomlStatement[], path: readonly string[]): void {
  const other = statements.find((one) => {
    const shared = Math.min(one.path.length, path.length);
    const isAlong = isSame(one.path.slice(0, shared), path.slice(0, shared));
    if (one.kind === "table") return isAlong && one.isArray && one.path.length <= path.length;
    // A pair inside a table below ours, such as its env, leaves room for ours.
    return isAlong && !statements.some((table) => table.kind === "table" && isInside(table.path, path, one.path));
  });
  if (!other) return;
  const line = lineOf(text, other.start);
  throw new LimpetError(
    "BAD_CONFIG",
    `Line ${line} writes ${path.join(".")} in a form that is not edited here. Write it as a table, [${path.join(".")}], or change it by hand.`,
  );
}

function isInside(table: readonly string[], below: readonly string[], pair: readonly string[]): boolean {
  return (
    table.length > below.length &&
    isSame(pair.slice(0, table.length), table) &&
    isSame(table.slice(0, below.length), below)
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

function print(value: string | readonly string[]): string {
  return typeof value === "string"
    ? JSON.stringify(value)
    : `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
}

function normal(value: string): string {
  return value.replaceAll(/\s+/g, "").replaceAll("'", '"').replace(/,\]$/, "]");
}
