/**
 * Adds a table to the text of a TOML file, or removes it. The libraries that can do it reformat lines, or write a newer
 * TOML than the client reads. So this edits lines, and a parser checks the result: the table has the wanted values, and
 * everything else is as before. Otherwise the file is not changed, and its owner has to edit it. Pure.
 */
import { isDeepStrictEqual } from "node:util";
import { LimpetError } from "../../base/limpet-error.ts";
import { isTomlTable, parseToml, type TomlTable, tryParseToml } from "./parse-toml.ts";
import {
  isBlankOrComment,
  lineEndOf,
  printKey,
  sectionsOf,
  setKey,
  splitLines,
  type TomlPath,
  type TomlValue,
} from "./toml-lines.ts";

export type TomlEntry = Readonly<Record<string, TomlValue>>;

/** Returns the same text if the file has the entry already. Other keys and comments of the table stay. */
export function mergeToml(text: string, path: TomlPath, entry: TomlEntry): string {
  const root = parseToml(text);
  const wanted = merged(root, path, parseToml(printKeys(entry).join("\n")));
  if (isDeepStrictEqual(root, wanted)) return text;
  const edits = [appended(text, path, entry), changed(text, path, entry)];
  const edited = edits.find((each) => each !== undefined && isDeepStrictEqual(tryParseToml(each), wanted));
  if (edited !== undefined) return edited;
  throw new LimpetError(
    "BAD_CONFIG",
    `The file defines ${path.join(".")} in a way that limpet does not edit. Replace it by hand with:\n\n${printTable(path, entry).join("\n")}`,
  );
}

/** Returns the same text if the file does not have the table. */
export function removeToml(text: string, path: TomlPath): string {
  const root = parseToml(text);
  if (!hasTable(root, path)) return text;
  const wanted = without(root, path);
  const edited = cut(text, path);
  const after = tryParseToml(edited);
  if (after && isDeepStrictEqual(without(after, path), wanted) && !hasTable(after, path)) return edited;
  throw new LimpetError(
    "BAD_CONFIG",
    `The file defines ${path.join(".")} in a way that limpet does not edit. Remove it by hand.`,
  );
}

export function hasToml(text: string, path: TomlPath): boolean {
  return hasTable(parseToml(text), path);
}

export function printTable(path: TomlPath, entry: TomlEntry): string[] {
  return [`[${path.join(".")}]`, ...printKeys(entry)];
}

function printKeys(entry: TomlEntry): string[] {
  return Object.entries(entry).map(([key, value]) => printKey(key, value));
}

/** A table at the end of a valid file is valid, unless the file has the table already. */
function appended(text: string, path: TomlPath, entry: TomlEntry): string {
  const eol = lineEndOf(text);
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return `${text}${gap}${printTable(path, entry).join(eol)}${eol}`;
}

function changed(text: string, path: TomlPath, entry: TomlEntry): string | undefined {
  const eol = lineEndOf(text);
  const lines = splitLines(text.endsWith("\n") ? text : text + eol);
  const section = sectionsOf(lines).find(({ header }) => isDeepStrictEqual(header, path));
  if (!section) return undefined;
  const start = section.from + 1;
  const body = Object.entries(entry).reduce(
    (now: readonly string[], field) => setKey(now, field, eol),
    lines.slice(start, section.to),
  );
  return [...lines.slice(0, start), ...body, ...lines.slice(section.to)].join("");
}

/** Without the table and the tables below it. Comments after their last keys belong to what follows. */
function cut(text: string, path: TomlPath): string {
  const lines = splitLines(text);
  const ours = sectionsOf(lines).filter(({ header }) => isDeepStrictEqual(header.slice(0, path.length), path));
  const isCut = (index: number) =>
    ours.some(({ from, to }) => {
      const last = lines.slice(0, to).findLastIndex((line) => !isBlankOrComment(line));
      const isGap = index === last + 1 && /^\s*$/.test(lines[index] ?? "#");
      return index >= from && index < to && (index <= last || isGap);
    });
  return lines.filter((_, index) => !isCut(index)).join("");
}

function merged(root: TomlTable, [key, ...rest]: TomlPath, fields: TomlTable): TomlTable {
  if (key === undefined) return { ...root, ...fields };
  const inner = root[key];
  return { ...root, [key]: merged(isTomlTable(inner) ? inner : {}, rest, fields) };
}

/** Also removes tables that become empty. */
function without(root: TomlTable, [key = "", ...rest]: TomlPath): TomlTable {
  const { [key]: inner, ...others } = root;
  if (rest.length === 0 || !isTomlTable(inner)) return rest.length === 0 ? others : root;
  const left = without(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...root, [key]: left };
}

function hasTable(root: TomlTable, path: TomlPath): boolean {
  return path.reduce((value: unknown, key) => (isTomlTable(value) ? value[key] : undefined), root) !== undefined;
}
