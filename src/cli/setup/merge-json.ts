/** Puts values into the text of a JSON file and touches nothing else: comments, order and indentation stay. Pure. */
import { LimpetError } from "../../base/limpet-error.ts";
import { type JsonNode, type JsonObject, lineOf, parseJsonText } from "./json-text.ts";

type Entry = Readonly<Record<string, unknown>>;

/** Sets each field of `entry` at `path`; fields that are there besides stay. The same text comes back where nothing is to be done. */
export function mergeJson(text: string, path: readonly string[], entry: Entry): string {
  const start = text.trim() === "" ? "{}\n" : text;
  const merged = Object.entries(entry).reduce((now, [field, value]) => setIn(now, [...path, field], value), start);
  // One that is all new is written as one piece.
  return hasPath(start, path) ? merged : setIn(start, path, entry);
}

/** Whether there is an object at this place. */
export function hasPath(text: string, path: readonly string[]): boolean {
  if (text.trim() === "") return false;
  let node: JsonNode | undefined = parseJsonText(text);
  for (const key of path) node = node?.kind === "object" ? memberOf(node, key) : undefined;
  return node?.kind === "object";
}

function setIn(text: string, path: readonly string[], value: unknown): string {
  let node = requireObject(text, parseJsonText(text), "The file");
  for (const [depth, key] of path.entries()) {
    const next = memberOf(node, key);
    const rest = path.slice(depth + 1);
    if (next === undefined) return insert(text, node, key, nested(rest, value));
    if (rest.length === 0) return replace(text, next, value);
    node = requireObject(text, next, `"${path.slice(0, depth + 1).join(".")}"`);
  }
  return text;
}

function replace(text: string, node: JsonNode, value: unknown): string {
  if (node.kind === "other" && JSON.stringify(node.value) === JSON.stringify(value)) return text;
  return text.slice(0, node.start) + printed(text, value, indentAt(text, node.start)) + text.slice(node.end);
}

function insert(text: string, object: JsonObject, key: string, value: unknown): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const close = object.end - 1;
  const last = object.members.at(-1);
  const inside = text.slice(object.start + 1, close);
  const name = `${JSON.stringify(key)}: `;
  if (last && !inside.includes("\n")) {
    const comma = object.hasTrailingComma ? " " : ", ";
    const at = object.start + 1 + inside.trimEnd().length;
    return `${text.slice(0, at)}${comma}${name}${JSON.stringify(value)}${text.slice(at)}`;
  }
  const outer = indentAt(text, object.start);
  const inner = last ? indentAt(text, last.value.start) : outer + indentUnit(text);
  const member = `${eol}${inner}${name}${printed(text, value, inner)}`;
  // Behind the comments that follow the last member, which may reach to the end of their line.
  const at = object.start + 1 + inside.trimEnd().length;
  const tail = text.slice(at, close).includes("\n") ? text.slice(at) : `${eol}${outer}${text.slice(close)}`;
  if (!last || object.hasTrailingComma) return text.slice(0, at) + member + tail;
  return `${text.slice(0, last.value.end)},${text.slice(last.value.end, at)}${member}${tail}`;
}

function printed(text: string, value: unknown, indent: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = JSON.stringify(value, undefined, indentUnit(text)).split("\n");
  return lines.map((line, index) => (index === 0 ? line : indent + line)).join(eol);
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

/** Of several with the same name, the last one counts. */
function memberOf(object: JsonObject, key: string): JsonNode | undefined {
  return object.members.findLast((member) => member.key === key)?.value;
}

function requireObject(text: string, node: JsonNode, what: string): JsonObject {
  if (node.kind === "object") return node;
  const line = lineOf(text, node.start);
  throw new LimpetError("BAD_CONFIG", `${what} is no object (line ${line}). Make it one, then try again.`);
}

/** The white space that the line at this place begins with. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function indentUnit(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}
