/**
 * Masks what looks like a token of a well-known service. This is a guess, so it applies only to what a model is about
 * to read, and never to what is stored.
 */
import { maskBytes } from "../../journal/redaction/redaction.ts";
import { compilePattern, type Pattern, type PatternMatch } from "../../text/search/pattern.ts";
import type { TextRedaction } from "./text-redaction.ts";
import { TOKEN_RULES, type TokenRule } from "./token-rules.ts";

interface CompiledRule {
  readonly words: readonly string[];
  readonly pattern: Pattern;
}

export class TokenRedaction implements TextRedaction {
  readonly version = 1;
  readonly #rules: readonly CompiledRule[];

  constructor(rules: readonly TokenRule[] = TOKEN_RULES) {
    this.#rules = rules.map(({ words, pattern }) => ({ words, pattern: compilePattern(pattern) }));
  }

  redact(text: string): string {
    const bytes = Buffer.from(text);
    let isMasked = false;
    for (const [from, to] of this.#rangesIn(bytes)) {
      isMasked = true;
      maskBytes(bytes, from, to);
    }
    return isMasked ? bytes.toString() : text;
  }

  masksOf(bytes: Uint8Array): Uint8Array {
    const masks = new Uint8Array(bytes.length);
    for (const [from, to] of this.#rangesIn(bytes)) masks.fill(1, from, to);
    return masks;
  }

  #rangesIn(bytes: Uint8Array): readonly Range[] {
    // Tokens are ASCII. As latin1, the index of a character is that of its byte.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    const tried = this.#rules.filter(({ words }) => words.some((word) => text.includes(word)));
    return tried.flatMap(({ pattern }) => [...rangesOf(pattern, text)]);
  }
}

type Range = readonly [from: number, to: number];

/** The parts of the text to mask. */
function* rangesOf(pattern: Pattern, text: string): Generator<Range> {
  let from = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text.slice(from))) {
    const [start, end] = partOf(match);
    yield [from + start, from + end];
    from += match.index + Math.max(1, match.text.length);
  }
}

/** The first group, or all of it. */
function partOf({ index, text, captures }: PatternMatch): Range {
  const group = captures?.[0] ?? text;
  const start = index + (captures ? text.lastIndexOf(group) : 0);
  return [start, start + group.length];
}
