/** Parses TOML. The only file that imports the library for it. Pure. */
import { parse, TomlError } from "smol-toml";
import { LimpetError } from "../../base/limpet-error.ts";

export type TomlTable = Readonly<Record<string, unknown>>;

/** Throws `BAD_CONFIG` with the line of a mistake. */
export function parseToml(text: string): TomlTable {
  try {
    // Any integer of TOML fits a bigint.
    return plain(parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: true })) as TomlTable;
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [reason = ""] = cause.message.replace("Invalid TOML document: ", "").split("\n", 1);
    throw new LimpetError("BAD_CONFIG", `Line ${cause.line} is not valid TOML (${reason}). Fix it and try again.`, {
      cause,
    });
  }
}

/** Undefined if it is not valid TOML. */
export function tryParseToml(text: string): TomlTable | undefined {
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

export function isTomlTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The library's tables have no prototype, so they are never equal to others. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isTomlTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
