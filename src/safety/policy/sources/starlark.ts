/** Reads calls with literal arguments, which is what rules files in Starlark consist of. Pure. */
import { LimpetError } from "../../../base/limpet-error.ts";

export type StarlarkValue = string | boolean | null | readonly StarlarkValue[];

export interface StarlarkCall {
  readonly name: string;
  readonly args: Readonly<Record<string, StarlarkValue>>;
  /** Counted from 1. */
  readonly line: number;
}

const TOKEN =
  /\s+|#[^\n]*|("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|[A-Za-z_]\w*|[()[\],=])/y;
const WORDS: Readonly<Record<string, StarlarkValue>> = { True: true, False: false, None: null };
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

export function readCalls(text: string): readonly StarlarkCall[] {
  const reader = new Reader(text);
  const calls: StarlarkCall[] = [];
  while (!reader.isAtEnd) calls.push(reader.call());
  return calls;
}

interface Token {
  readonly text: string;
  readonly at: number;
}

class Reader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#tokens.length;
  }

  call(): StarlarkCall {
    const line = lineAt(this.#text, this.#tokens[this.#next]?.at ?? 0);
    const name = this.#name();
    const args: Record<string, StarlarkValue> = {};
    this.#take("(");
    while (!this.#skip(")")) {
      const key = this.#name();
      this.#take("=");
      args[key] = this.#value();
      if (!this.#skip(",") && this.#peek() !== ")") throw this.#refuse();
    }
    return { name, args, line };
  }

  #value(): StarlarkValue {
    const token = this.#peek();
    if (/^["']/.test(token)) {
      this.#next += 1;
      return unquote(token);
    }
    if (Object.hasOwn(WORDS, token)) {
      this.#next += 1;
      return WORDS[token] ?? null;
    }
    this.#take("[");
    const items: StarlarkValue[] = [];
    while (!this.#skip("]")) {
      items.push(this.#value());
      if (!this.#skip(",") && this.#peek() !== "]") throw this.#refuse();
    }
    return items;
  }

  #name(): string {
    const token = this.#peek();
    if (!/^[A-Za-z_]/.test(token)) throw this.#refuse();
    this.#next += 1;
    return token;
  }

  #peek(): string {
    return this.#tokens[this.#next]?.text ?? "";
  }

  #skip(token: string): boolean {
    const isNext = this.#peek() === token;
    if (isNext) this.#next += 1;
    return isNext;
  }

  #take(token: string): void {
    if (!this.#skip(token)) throw this.#refuse();
  }

  #refuse(): LimpetError {
    return refuse(this.#text, this.#tokens[this.#next]?.at ?? this.#text.length);
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw refuse(text, at);
    if (match[1] !== undefined) tokens.push({ text: match[1], at });
    at += match[0].length;
  }
  return tokens;
}

function unquote(token: string): string {
  const width = /^(?:"""|''')/.test(token) ? 3 : 1;
  return token
    .slice(width, -width)
    .replace(/\\([\s\S])/g, (whole, char: string) => ESCAPES[char] ?? (/["'\\]/.test(char) ? char : whole));
}

function refuse(text: string, at: number): LimpetError {
  const what = "has something other than calls with strings and lists";
  return new LimpetError("BAD_POLICY", `Line ${lineAt(text, at)} ${what}. Write the rule without variables.`);
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
