/**
 * Finds secrets in the output of a program as it arrives: across chunks, and through the control sequences that a
 * program prints in the middle of one, such as colours.
 *
 * Two matchers read the stream. One reads all bytes, so it also finds secrets inside control strings, such as a title.
 * The other one skips control sequences. After most sequences both are in the same state, and one is enough.
 */
import type { Cursor } from "../../base/cursor.ts";
import type { Redactor } from "../../journal/redaction/redaction.ts";
import { EscapeTokenizer } from "../../text/escape/escape-tokenizer.ts";
import { shortCsiEnd } from "../../text/escape/short-csi-end.ts";
import type { Automaton } from "./automaton.ts";
import { FormMatcher, type Mask } from "./form-matcher.ts";

const ESC = 0x1b;

export class StreamRedactor implements Redactor {
  readonly #all: FormMatcher;
  readonly #text: FormMatcher;
  readonly #tokenizer = new EscapeTokenizer();
  /** Both matchers are in the same state, which the first one holds. */
  #isOne = true;

  constructor(automaton: Automaton) {
    this.#all = new FormMatcher(automaton);
    this.#text = new FormMatcher(automaton);
  }

  get openFrom(): Cursor | undefined {
    const [all, text] = [this.#all.openFrom, this.#isOne ? undefined : this.#text.openFrom];
    return all === undefined || text === undefined ? (all ?? text) : Math.min(all, text);
  }

  push(bytes: Uint8Array, cursor: Cursor, mask: Mask): void {
    for (let at = 0; at < bytes.length; ) {
      const isText = this.#tokenizer.isIdle && bytes[at] !== ESC;
      const to = isText ? textEnd(bytes, at) : this.#sequenceEnd(bytes, at);
      const run = { from: at, to, cursor: cursor + at };
      // At the start of a sequence, the second matcher gets a copy of the state and keeps it.
      if (!isText && this.#isOne) this.#text.copy(this.#all);
      this.#all.scan(bytes, run, mask);
      if (isText && !this.#isOne) this.#text.scan(bytes, run, mask);
      if (!isText || !this.#isOne) this.#isOne = this.#text.isLike(this.#all);
      at = to;
    }
  }

  settle(mask: Mask): void {
    this.#all.maskIncomplete(mask);
    if (!this.#isOne) this.#text.maskIncomplete(mask);
  }

  /** Where the sequence that is open, or begins here, ends; the end of the chunk if it continues in the next one. */
  #sequenceEnd(bytes: Uint8Array, at: number): number {
    const short = this.#tokenizer.isIdle ? shortCsiEnd(bytes, at) : -1;
    if (short >= 0) return short;
    let to = at;
    if (this.#tokenizer.isIdle) {
      this.#tokenizer.begin();
      to++;
    }
    while (to < bytes.length && !this.#tokenizer.isIdle) {
      to = this.#tokenizer.read(bytes, to);
      // A control character inside a sequence is not text either.
      if (this.#tokenizer.step === "control") to++;
    }
    return to;
  }
}

function textEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(ESC, at);
  return end < 0 ? bytes.length : end;
}
