/**
 * Removes from a program's output what must not reach a person's terminal: everything except text and what draws. How
 * the output is cut into chunks does not matter.
 */
import { TextDecoder } from "node:util";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { EscapeTokenizer } from "../../text/escape/escape-tokenizer.ts";
import { type Passing, passedCsi, passedEscape } from "./drawing-rules.ts";

const ESC = 0x1b;
/**
 * Controls that do not move the caret: ENQ is a question, and terminals ignore the others. C1 controls, on which
 * terminals differ. Bidi controls, which show text in another order than it was printed in.
 */
const SILENT = /[\0-\x06\x10-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
const SILENT_OR_BELL = /[\0-\x07\x10-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

export interface DrawingFilterOptions {
  readonly passing: Passing;
  /** Of the person's terminal. */
  readonly size: () => TerminalSize;
}

export class DrawingFilter {
  readonly #options: DrawingFilterOptions;
  readonly #escape = new EscapeTokenizer();
  /** Bytes that are not UTF-8 become U+FFFD: a terminal that is not set to UTF-8 would act on some of them. */
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #dropped: RegExp;
  #hasTabStops = false;

  constructor(options: DrawingFilterOptions) {
    this.#options = options;
    this.#dropped = options.passing === "terminal" ? SILENT : SILENT_OR_BELL;
  }

  /** The program has set or cleared tab stops. */
  get hasTabStops(): boolean {
    return this.#hasTabStops;
  }

  /** What the person's terminal may get. A sequence that is not complete is held until its end arrives. */
  push(bytes: Uint8Array): string {
    let passed = "";
    for (let at = 0; at < bytes.length; ) {
      if (!this.#escape.isIdle) {
        const { text, next } = this.#readSequence(bytes, at);
        passed += text;
        at = next;
        continue;
      }
      const begin = bytes.indexOf(ESC, at);
      const end = begin < 0 ? bytes.length : begin;
      passed += this.#textOf(bytes.subarray(at, end), begin < 0);
      if (begin >= 0) this.#escape.begin();
      at = end + 1;
    }
    return passed;
  }

  #readSequence(bytes: Uint8Array, at: number): { readonly text: string; readonly next: number } {
    const { passing, size } = this.#options;
    const next = this.#escape.read(bytes, at);
    this.#hasTabStops ||= isTabStop(this.#escape);
    switch (this.#escape.step) {
      case "control":
        // Terminals carry it out at once, while the sequence waits for its end.
        return { text: this.#textOf(bytes.subarray(next, next + 1), false), next: next + 1 };
      case "escape":
        return { text: passedEscape(this.#escape.name, passing), next };
      case "csi":
        return { text: passedCsi(this.#escape, passing, size()), next };
      default:
        return { text: "", next };
    }
  }

  /** A character whose bytes arrive apart is held, unless a sequence breaks it. */
  #textOf(bytes: Uint8Array, isCutOff: boolean): string {
    return this.#decoder.decode(bytes, { stream: isCutOff }).replaceAll(this.#dropped, "");
  }
}

/** HTS and TBC. */
function isTabStop({ step, name }: EscapeTokenizer): boolean {
  return (step === "escape" && name === "H") || (step === "csi" && name === "g");
}
