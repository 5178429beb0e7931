/**
 * Masks what looks like a token of a well-known service. A guess: it is for what a model is about to read, and never
 * changes what is stored.
 */
import { MASK_BYTE } from "../../journal/redaction.ts";
import { compilePattern, type Pattern, type PatternMatch } from "../../text/search/pattern.ts";
import type { TextRedaction } from "./text-redaction.ts";
import { TOKEN_RULES, type TokenRule } from "./token-rules.ts";

/** Line ends stay, so that a text keeps its lines. */
const KEPT = new Set(Buffer.from("\r\n"));

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
    const masks = this.masksOf(bytes);
    if (!masks.includes(1)) return text;
    for (const [at, mask] of masks.entries()) if (mask === 1) bytes[at] = MASK_BYTE;
    return bytes.toString();
  }

  masksOf(bytes: Uint8Array): Uint8Array {
    // Tokens are ASCII. As latin1, the index of a character is that of its byte.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    const masks = new Uint8Array(bytes.length);
    for (const { words, pattern } of this.#rules) {
      if (!words.some((word) => text.includes(word))) continue;
      for (const [from, to] of rangesOf(pattern, text)) masks.fill(1, from, to);
    }
    for (const [at, byte] of bytes.entries()) if (KEPT.has(byte)) masks[at] = 0;
    return masks;
  }
}

/** The parts of the text to mask. */
function* rangesOf(pattern: Pattern, text: string): Generator<readonly [number, number]> {
  let from = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text.slice(from))) {
    const [start, end] = partOf(match);
    yield [from + start, from + end];
    from += match.index + Math.max(1, match.text.length);
  }
}

/** The first group, or all of it. */
function partOf({ index, text, captures }: PatternMatch): readonly [number, number] {
  const group = captures?.[0] ?? text;
  const start = index + (captures ? text.lastIndexOf(group) : 0);
  return [start, start + group.length];
}
