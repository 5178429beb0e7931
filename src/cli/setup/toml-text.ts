/** Reads as much of TOML as is needed to change one table and leave the rest alone: which statement stands where. */
import { LimpetError } from "../../base/limpet-error.ts";
import { lineOf } from "./json-text.ts";

export type TomlStatement =
  | {
      readonly kind: "table";
      readonly path: readonly string[];
      readonly isArray: boolean;
      readonly start: number;
      readonly end: number;
    }
  | {
      readonly kind: "pair";
      /** With the table that it stands in. */
      readonly path: readonly string[];
      readonly start: number;
      readonly valueStart: number;
      readonly end: number;
    };

const KEY = /[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*/y;
const BLANK = /(?:\s|\uFEFF|#[^\n]*)*/y;
const REST_OF_LINE = /[ \t]*(?:#[^\n]*)?(?=\r?\n|$)/y;
const STRING = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const BARE = /[^\s"'#,[\]{}=]+(?: \d\d:[\d:.]+)?/y;

export function parseToml(text: string): TomlStatement[] {
  const reader = new TomlReader(text);
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (;;) {
    const statement = reader.next(table);
    if (!statement) return statements;
    statements.push(statement);
    if (statement.kind === "table") table = statement.path;
  }
}

class TomlReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(table: readonly string[]): TomlStatement | undefined {
    this.#match(BLANK);
    const start = this.#at;
    if (start >= this.#text.length) return undefined;
    if (this.#take("[")) {
      const isArray = this.#take("[");
      const path = this.#key();
      this.#need("]");
      if (isArray) this.#need("]");
      const end = this.#at;
      this.#endOfLine();
      return { kind: "table", path, isArray, start, end };
    }
    const path = [...table, ...this.#key()];
    this.#need("=");
    this.#match(/[ \t]*/y);
    const valueStart = this.#at;
    this.#value();
    const end = this.#at;
    this.#endOfLine();
    return { kind: "pair", path, start, valueStart, end };
  }

  #key(): string[] {
    const parts: string[] = [];
    do {
      const found = this.#match(KEY);
      if (!found) throw this.#broken("a key is missing");
      parts.push(unquote(found.trim()));
    } while (this.#take("."));
    return parts;
  }

  #value(): void {
    if (this.#take("[")) this.#until("]");
    else if (this.#take("{")) this.#until("}");
    else if (!this.#match(STRING) && !this.#match(BARE)) throw this.#broken("a value is missing or not closed");
  }

  /** What a list or an inline table holds, commas and keys included, is only gone through. */
  #until(close: "]" | "}"): void {
    for (;;) {
      this.#match(BLANK);
      if (this.#take(close)) return;
      if (this.#at >= this.#text.length) throw this.#broken(`a closing ${close} is missing`);
      if (this.#take(",") || this.#take("=")) continue;
      this.#value();
    }
  }

  #endOfLine(): void {
    if (this.#match(REST_OF_LINE) === undefined) throw this.#broken("something follows that does not belong there");
  }

  #need(character: string): void {
    if (!this.#take(character)) throw this.#broken(`a ${character} is missing`);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #broken(what: string): LimpetError {
    const line = lineOf(this.#text, this.#at);
    return new LimpetError("BAD_CONFIG", `Line ${line} is no TOML: ${what}. Repair it, then try again.`);
  }
}

function unquote(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1);
  return key.startsWith('"') ? key.slice(1, -1).replace(/\\(["\\])/g, "$1") : key;
}
