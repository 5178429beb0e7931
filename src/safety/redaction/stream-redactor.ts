/**
 * Finds secrets in the output of a program as it arrives: across chunks, and through the control sequences that a
 * program prints in the middle of one, such as colours.
 *
 * Two matchers read the stream. One reads all bytes, so it also finds secrets inside control strings, such as a title.
 * The other one skips control sequences.
 */
import type { Cursor } from "../../base/cursor.ts";
import type { Redactor } from "../../journal/redaction.ts";
import { EscapeTokenizer } from "../../text/escape/escape-tokenizer.ts";
import type { Automaton } from "./automaton.ts";
import { FormMatcher, type Mask } from "./form-matcher.ts";

const ESC = 0x1b;

export class StreamRedactor implements Redactor {
  readonly #all: FormMatcher;
  readonly #text: FormMatcher;
  readonly #tokenizer = new EscapeTokenizer();

  constructor(automaton: Automaton) {
    this.#all = new FormMatcher(automaton);
    this.#text = new FormMatcher(automaton);
  }

  get openFrom(): Cursor | undefined {
    const [all, text] = [this.#all.openFrom, this.#text.openFrom];
    return all === undefined || text === undefined ? (all ?? text) : Math.min(all, text);
  }

  push(bytes: Uint8Array, cursor: Cursor, mask: Mask): void {
    const isPlain = this.#tokenizer.isIdle && this.#text.isLike(this.#all) && !bytes.includes(ESC);
    if (!isPlain) this.#pushText(bytes, cursor, mask);
    this.#all.scan(bytes, { from: 0, to: bytes.length, cursor }, mask);
    if (isPlain) this.#text.copy(this.#all);
  }

  settle(mask: Mask): void {
    this.#all.maskBegun(mask);
    this.#text.maskBegun(mask);
  }

  #pushText(bytes: Uint8Array, cursor: Cursor, mask: Mask): void {
    for (let at = 0; at < bytes.length; ) {
      if (!this.#tokenizer.isIdle) at = this.#readSequence(bytes, at);
      else {
        const begin = bytes.indexOf(ESC, at);
        const end = begin < 0 ? bytes.length : begin;
        if (end > at) this.#text.scan(bytes, { from: at, to: end, cursor: cursor + at }, mask);
        if (begin >= 0) this.#tokenizer.begin();
        at = begin < 0 ? end : end + 1;
      }
    }
  }

  /** A control character inside a sequence is not text either. */
  #readSequence(bytes: Uint8Array, at: number): number {
    const next = this.#tokenizer.read(bytes, at);
    return this.#tokenizer.step === "control" ? next + 1 : next;
  }
}
