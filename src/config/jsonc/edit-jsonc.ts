/** Adds an entry to a JSON file with comments, or removes one, without changing anything else. Pure. */
import { applyEdits, createScanner, format, getNodeValue, modify, type Node } from "jsonc-parser";
import { hasJsonObject, keyOf, nodeAt, type Path, parse, requireObject } from "./read-jsonc.ts";

type Entry = Readonly<Record<string, unknown>>;

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

/** Adds items at the end of the list in the field `key` of the file's object. Creates the list if it is missing. */
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

/** Extends the range to whole lines if the rest of them is only white space. */
function wholeLines(text: string, { from, to }: Range): Range {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const stop = text.indexOf("\n", to) + 1 || text.length;
  const isAlone = text.slice(start, from).trim() === "" && text.slice(to, stop).trim() === "";
  return isAlone && start > 0 ? { from: start, to: stop } : { from, to };
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

function formattingOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const isTabs = indent.startsWith("\t");
  return { insertSpaces: !isTabs, tabSize: isTabs ? 1 : indent.length, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}
