/**
 * JSON as people write it into configuration files: with comments and trailing commas. Reads it, and puts an entry into
 * it or takes one out without changing anything else. Pure. The only file that imports the library for it.
 */
import {
  applyEdits,
  createScanner,
  format,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { JsonNode } from "../base/format/json-node.ts";
import { LimpetError } from "../base/limpet-error.ts";

type Entry = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** One setting in a file. */
export interface JsonMember {
  readonly key: string;
  readonly value: unknown;
  /** Counted from 1. */
  readonly line: number;
}

/** The members of the file's object, in order. */
export function readJsonMembers(text: string): readonly JsonMember[] {
  const { children = [] } = requireObject(text, parse(text), "The file");
  return children.map((member) => {
    const value = member.children?.[1];
    return { key: String(keyOf(member)), value: value && getNodeValue(value), line: lineOf(text, member.offset) };
  });
}

/** The whole file, with the line of each value. Refuses a file with a mistake, or with one key twice in an object. */
export function readJsonTree(text: string): JsonNode {
  return treeOf(text, parse(text));
}

/** The value of the whole file. */
export function parseJsonc(text: string): unknown {
  return getNodeValue(parse(text));
}

function treeOf(text: string, node: Node): JsonNode {
  const line = lineOf(text, node.offset);
  const children = node.children ?? [];
  if (node.type === "array") return { kind: "array", line, items: children.map((child) => treeOf(text, child)) };
  if (node.type !== "object") return { kind: "value", line, value: node.value };
  const keys = new Set<unknown>();
  const members = children.map((member) => {
    const [key, value] = [keyOf(member), member.children?.[1]];
    if (keys.has(key)) throw refuse(text, member.offset, `has the key ${JSON.stringify(key)} for the second time`);
    keys.add(key);
    return { key: String(key), line: lineOf(text, member.offset), node: treeOf(text, value as Node) };
  });
  return { kind: "object", line, members };
}

/** Sets each field of `entry` at `path`; other fields stay. Returns the same text if nothing has to change. */
export function mergeJson(text: string, path: Path, entry: Entry): string {
  const before = text.trim() === "" ? "{}\n" : text;
  if (!nodeAt(before, path)) return set(before, path, entry);
  return Object.entries(entry).reduceRight((now, [field, value]) => set(now, [...path, field], value), before);
}

/**
 * Removes the object at `path` with its comma and, if nothing else is on them, its lines. Comments around it stay.
 * Returns the same text if there is nothing to remove.
 */
export function removeJson(text: string, path: Path): string {
  if (!hasJsonObject(text, path)) return text;
  const siblings = nodeAt(text, path.slice(0, -1))?.children ?? [];
  const at = siblings.findIndex((child) => keyOf(child) === path.at(-1));
  const [before, member] = [siblings[at - 1], siblings[at] as Node];
  const end = member.offset + member.length;
  const comma = commaAfter(text, end) ?? (before && commaAfter(text, before.offset + before.length));
  const isAdjacent = comma !== undefined && comma >= end && text.slice(end, comma).trim() === "";
  const cut = wholeLines(text, { from: member.offset, to: isAdjacent ? comma + 1 : end });
  const isInside = comma === undefined || (comma >= cut.from && comma < cut.to);
  const edits = [cut, ...(isInside ? [] : [{ from: comma, to: comma + 1 }])];
  return applyEdits(
    text,
    edits.map(({ from, to }) => ({ offset: from, length: to - from, content: "" })),
  );
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The place of the comma that follows, behind white space and comments. */
function commaAfter(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at : undefined;
}

/** With the rest of its first and last line, if that is only white space. */
function wholeLines(text: string, { from, to }: Range): Range {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const stop = text.indexOf("\n", to) + 1 || text.length;
  const isAlone = text.slice(start, from).trim() === "" && text.slice(to, stop).trim() === "";
  return isAlone && start > 0 ? { from: start, to: stop } : { from, to };
}

/** Adds items at the end of the list that is the field `key` of the file's object; makes the list if there is none. */
export function appendJson(text: string, key: string, items: readonly unknown[]): string {
  const before = text.trim() === "" ? "{}\n" : text;
  const list = requireObject(before, parse(before), "The file").children?.find((child) => keyOf(child) === key);
  if (!list) return set(before, [key], items);
  const count = list.children?.[1]?.children?.length ?? 0;
  return items.reduce<string>((now, item, index) => {
    const edits = modify(now, [key, count + index], item, {
      isArrayInsertion: true,
      formattingOptions: formattingOf(now),
    });
    return applyEdits(now, edits);
  }, before);
}

/** The object at `path`; undefined if there is none. Refuses a file with a mistake, with its line. */
export function readJsonAt(text: string, path: Path): unknown {
  const node = text.trim() === "" ? undefined : nodeAt(text, path);
  return node && getNodeValue(node);
}

export function hasJsonObject(text: string, path: Path): boolean {
  return text.trim() !== "" && nodeAt(text, path) !== undefined;
}

function set(text: string, path: Path, value: unknown): string {
  const field = nodeAt(text, path.slice(0, -1))?.children?.find((child) => keyOf(child) === path.at(-1))?.children?.[1];
  if (field && JSON.stringify(getNodeValue(field)) === JSON.stringify(value)) return text;
  // The entry goes first in its object: after the last member, it would separate that from its comments.
  const [edit] = modify(text, [...path], value, { getInsertionIndex: () => 0 });
  if (!edit) return text;
  const edited = applyEdits(text, [edit]);
  // Format only what is new, and the white space on both sides.
  const range = { offset: edit.offset - 1, length: edit.content.length + 2 };
  return applyEdits(edited, format(edited, range, formattingOf(text)));
}

/** The object at `path`; undefined if there is none. Refuses a file in which `path` is ambiguous or not an object. */
function nodeAt(text: string, path: Path): Node | undefined {
  let node = requireObject(text, parse(text), "The file");
  for (const [depth, key] of path.entries()) {
    const [member, second] = (node.children ?? []).filter((child) => keyOf(child) === key);
    if (second) throw refuse(text, second.offset, `has the key ${JSON.stringify(key)} for the second time`);
    const value = member?.children?.[1];
    if (!value) return undefined;
    node = requireObject(text, value, `"${path.slice(0, depth + 1).join(".")}"`);
  }
  return node;
}

function parse(text: string): Node {
  const errors: ParseError[] = [];
  // The library reports a byte order mark as an error.
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root && !error) return root;
  const reason = error ? wordsOf(printParseErrorCode(error.error)) : "value expected";
  throw refuse(text, error?.offset ?? 0, `is not valid JSON (${reason})`);
}

function requireObject(text: string, node: Node, what: string): Node {
  if (node.type === "object") return node;
  throw new LimpetError(
    "BAD_CONFIG",
    `${what} is not an object (line ${lineOf(text, node.offset)}). Make it one and try again.`,
  );
}

function refuse(text: string, at: number, what: string): LimpetError {
  return new LimpetError("BAD_CONFIG", `Line ${lineOf(text, at)} ${what}. Fix it and try again.`);
}

function keyOf(member: Node): unknown {
  return member.children?.[0]?.value;
}

/** "PropertyNameExpected" → "property name expected". */
function wordsOf(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** Counted from 1. */
function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function formattingOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const isTabs = indent.startsWith("\t");
  return { insertSpaces: !isTabs, tabSize: isTabs ? 1 : indent.length, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}
