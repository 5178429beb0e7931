/**
 * Reads an expression of labels: `gpu`, `zone=a`, `zone!=a`, `!gpu`, `&&`, `||` and parentheses, where `!` binds more
 * tightly than `&&`, and `&&` more tightly than `||`. Pure.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import { LABEL_WORD } from "./label.ts";
import type { LabelExpression } from "./label-expression.ts";

/** A door parses the expression for each start. A longer one is a mistake. */
const MAX_CHARS = 1_000;
/** The deepest nesting of parentheses and negations. */
const MAX_DEPTH = 50;
const TOKEN = new RegExp(`\\s*(&&|\\|\\||!=|=|!|\\(|\\)|${LABEL_WORD.source}|$)`, "y");
const WORD = new RegExp(`^${LABEL_WORD.source}$`);

export function parseLabelExpression(text: string): LabelExpression {
  if (text.length > MAX_CHARS)
    throw new LimpetError(
      "BAD_OPTION",
      `The label expression has ${text.length} characters. Use at most ${MAX_CHARS}.`,
    );
  const reader = new TokenReader(text);
  const expression = readAny(reader, 0);
  if (reader.token !== "") reader.refuse("&&, || or the end");
  return expression;
}

/** Reads tokens with a lookahead of one. The empty token is the end. */
class TokenReader {
  readonly #text: string;
  #at = 0;
  #next = 0;
  token = "";

  constructor(text: string) {
    this.#text = text;
    this.advance();
  }

  advance(): void {
    TOKEN.lastIndex = this.#next;
    const found = TOKEN.exec(this.#text);
    this.#at = this.#next + (/^\s*/.exec(this.#text.slice(this.#next))?.[0].length ?? 0);
    if (!found) this.refuse("a label, &&, ||, !, ( or )");
    this.token = found?.[1] ?? "";
    this.#next = TOKEN.lastIndex;
  }

  takes(token: string): boolean {
    if (this.token !== token) return false;
    this.advance();
    return true;
  }

  takeWord(expected: string): string {
    const word = this.token;
    if (!WORD.test(word)) this.refuse(expected);
    this.advance();
    return word;
  }

  refuse(expected: string): never {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const found = rest === "" ? "its end" : JSON.stringify(rest);
    throw new LimpetError(
      "BAD_OPTION",
      `The label expression ${JSON.stringify(this.#text)} has ${found} at character ${this.#at + 1}, where it needs ` +
        `${expected}. Write it like: gpu && (zone=a || zone=b).`,
    );
  }
}

function readAny(reader: TokenReader, depth: number): LabelExpression {
  const of = [readAll(reader, depth)];
  while (reader.takes("||")) of.push(readAll(reader, depth));
  return of.length === 1 && of[0] ? of[0] : { kind: "any", of };
}

function readAll(reader: TokenReader, depth: number): LabelExpression {
  const of = [readOne(reader, depth)];
  while (reader.takes("&&")) of.push(readOne(reader, depth));
  return of.length === 1 && of[0] ? of[0] : { kind: "all", of };
}

function readOne(reader: TokenReader, depth: number): LabelExpression {
  if (depth > MAX_DEPTH) reader.refuse(`at most ${MAX_DEPTH} levels of parentheses`);
  if (reader.takes("!")) return { kind: "not", of: readOne(reader, depth + 1) };
  if (reader.takes("(")) {
    const inner = readAny(reader, depth + 1);
    if (!reader.takes(")")) reader.refuse("&&, || or )");
    return inner;
  }
  const key = reader.takeWord("a label, ! or (");
  if (reader.takes("=")) return { kind: "is", key, value: reader.takeWord("a value") };
  if (reader.takes("!=")) return { kind: "not", of: { kind: "is", key, value: reader.takeWord("a value") } };
  return { kind: "has", key };
}
