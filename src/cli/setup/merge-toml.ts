/**
 * Appends a table to the text of a TOML file. What is there is never edited: the libraries that can do it reformat
 * lines or write a newer TOML than the client reads. A table at the end of a valid file is always valid. Pure.
 */
import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { LimpetError } from "../../base/limpet-error.ts";

export type TomlEntry = Readonly<Record<string, string | readonly string[]>>;
type Path = readonly string[];

/** Returns the same text if the file has the entry already. */
export function mergeToml(text: string, path: Path, entry: TomlEntry): string {
  if (holds(parseToml(text), path, entry)) return text;
  const table = printTable(path, entry);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  const appended = `${text}${gap}${table.join(eol)}${eol}`;
  if (isValid(appended) && holds(parseToml(appended), path, entry)) return appended;
  throw new LimpetError(
    "BAD_CONFIG",
    `The file already defines ${path.join(".")} in another way, and limpet does not edit it. Replace it by hand with:\n\n${table.join("\n")}`,
  );
}

export function printTable(path: Path, entry: TomlEntry): string[] {
  return [`[${path.join(".")}]`, ...Object.entries(entry).map(([key, value]) => `${key} = ${print(value)}`)];
}

function parseToml(text: string): unknown {
  try {
    // Any integer of TOML fits a bigint.
    return parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: true });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [reason = ""] = cause.message.replace("Invalid TOML document: ", "").split("\n", 1);
    throw new LimpetError("BAD_CONFIG", `Line ${cause.line} is not valid TOML (${reason}). Fix it and try again.`, {
      cause,
    });
  }
}

/** TOML forbids a second table of the same name. */
function isValid(text: string): boolean {
  try {
    parseToml(text);
    return true;
  } catch {
    return false;
  }
}

function holds(root: unknown, path: Path, entry: TomlEntry): boolean {
  const table = path.reduce((value, key) => (isTable(value) ? value[key] : undefined), root);
  return isTable(table) && Object.entries(entry).every(([key, value]) => isDeepStrictEqual(table[key], value));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON string is a valid TOML basic string. */
function print(value: string | readonly string[]): string {
  return typeof value === "string"
    ? JSON.stringify(value)
    : `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
}
