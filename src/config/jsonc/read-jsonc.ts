/**
 * Reads JSON as people write it into configuration files: with comments and trailing commas. Pure. Only this file and
 * `edit-jsonc.ts` import the library for it: a program that only reads does not load what edits.
 */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonNode } from "../../base/format/json-node.ts";
import { LimpetError } from "../../base/limpet-error.ts";

/** The keys from the file's object to a value. */
export type Path = readonly string[];

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
    if (keys.has(key)) throw refuse(text, member.offset, `repeats the key ${JSON.stringify(key)}`);
    keys.add(key);
    return { key: String(key), line: lineOf(text, member.offset), node: treeOf(text, value as Node) };
  });
  return { kind: "object", line, members };
}

/** The object at `path`; undefined if there is none. Refuses a file with a mistake, with its line. */
export function readJsonAt(text: string, path: Path): unknown {
  const node = text.trim() === "" ? undefined : nodeAt(text, path);
  return node && getNodeValue(node);
}

export function hasJsonObject(text: string, path: Path): boolean {
  return text.trim() !== "" && nodeAt(text, path) !== undefined;
}

/** The object at `path`; undefined if there is none. Refuses a file in which `path` is ambiguous or not an object. */
export function nodeAt(text: string, path: Path): Node | undefined {
  let node = requireObject(text, parse(text), "The file");
  for (const [depth, key] of path.entries()) {
    const [member, second] = (node.children ?? []).filter((child) => keyOf(child) === key);
    if (second) throw refuse(text, second.offset, `repeats the key ${JSON.stringify(key)}`);
    const value = member?.children?.[1];
    if (!value) return undefined;
    node = requireObject(text, value, `"${path.slice(0, depth + 1).join(".")}"`);
  }
  return node;
}

/** The whole file. Refuses one with a mistake, with its line. */
export function parse(text: string): Node {
  const errors: ParseError[] = [];
  // The library reports a byte order mark as an error.
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root && !error) return root;
  const reason = error ? wordsOf(printParseErrorCode(error.error)) : "value expected";
  throw refuse(text, error?.offset ?? 0, `is not valid JSON (${reason})`);
}

/** Refuses anything but an object. `what` names it in the error. */
export function requireObject(text: string, node: Node, what: string): Node {
  if (node.type === "object") return node;
  throw new LimpetError(
    "BAD_CONFIG",
    `${what} is not an object (line ${lineOf(text, node.offset)}). Make it one and try again.`,
  );
}

function refuse(text: string, at: number, what: string): LimpetError {
  return new LimpetError("BAD_CONFIG", `Line ${lineOf(text, at)} ${what}. Fix it and try again.`);
}

export function keyOf(member: Node): unknown {
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
