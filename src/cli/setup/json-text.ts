/** Reads JSON as people write it into configuration files: with comments and trailing commas, and with the place of everything. */
import { LimpetError } from "../../base/limpet-error.ts";

export type JsonNode = JsonObject | JsonOther;

export interface JsonObject {
  readonly kind: "object";
  readonly start: number;
  /** Behind the closing brace. */
  readonly end: number;
  readonly members: readonly JsonMember[];
  /** There is a comma behind the last member. */
  readonly hasTrailingComma: boolean;
}

interface JsonOther {
  readonly kind: "other";
  readonly start: number;
  readonly end: number;
  /** Parsed; elements of a list in order. */
  readonly value: unknown;
}

interface JsonMember {
  readonly key: string;
  readonly value: JsonNode;
}

const SCALAR = /"(?:[^"\\\u0000-\u001f]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
const BLANK = /(?:\s|\uFEFF|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

export function parseJsonText(text: string): JsonNode {
  const reader = new JsonReader(text);
  const node = reader.value();
  reader.expectEnd();
  return node;
}

/** Counted from 1. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): JsonNode {
    this.#skipBlank();
    const start = this.#at;
    if (this.#take("{")) return this.#object(start);
    if (this.#take("[")) return this.#list(start);
    const value = this.#scalar();
    return { kind: "other", start, end: this.#at, value };
  }

  expectEnd(): void {
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#broken("nothing may follow");
  }

  #object(start: number): JsonObject {
    const members: JsonMember[] = [];
    let hasTrailingComma = false;
    for (;;) {
      this.#skipBlank();
      if (this.#take("}")) return { kind: "object", start, end: this.#at, members, hasTrailingComma };
      if (members.length > 0 && !hasTrailingComma) throw this.#broken("a comma or a closing brace is missing");
      const key = this.#text[this.#at] === '"' ? this.#scalar() : undefined;
      if (typeof key !== "string") throw this.#broken("a name in double quotes is missing");
      this.#skipBlank();
      if (!this.#take(":")) throw this.#broken("a colon is missing");
      members.push({ key, value: this.value() });
      this.#skipBlank();
      hasTrailingComma = this.#take(",");
    }
  }

  #list(start: number): JsonNode {
    const values: unknown[] = [];
    let isOpen = true;
    for (;;) {
      this.#skipBlank();
      if (this.#take("]")) return { kind: "other", start, end: this.#at, value: values };
      if (!isOpen) throw this.#broken("a comma or a closing bracket is missing");
      const node = this.value();
      values.push(node.kind === "other" ? node.value : node);
      this.#skipBlank();
      isOpen = this.#take(",");
    }
  }

  #scalar(): unknown {
    SCALAR.lastIndex = this.#at;
    const found = SCALAR.exec(this.#text)?.[0];
    if (found === undefined) throw this.#broken("a value is missing or cannot be read");
    try {
      const value: unknown = JSON.parse(found);
      this.#at += found.length;
      return value;
    } catch {
      throw this.#broken(`${found.slice(0, 40)} cannot be read`);
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipBlank(): void {
    BLANK.lastIndex = this.#at;
    this.#at += BLANK.exec(this.#text)?.[0].length ?? 0;
  }

  #broken(what: string): LimpetError {
    const line = lineOf(this.#text, this.#at);
    return new LimpetError("BAD_CONFIG", `Line ${line} is no JSON: ${what}. Repair it, then try again.`);
  }
}
