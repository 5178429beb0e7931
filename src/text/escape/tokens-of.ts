/** Splits a whole piece of output into text and control sequences. */
import { EscapeTokenizer } from "./escape-tokenizer.ts";

const ESC = 0x1b;
const BACKSLASH = 0x5c;

/** The bytes from `from` up to `to`. */
export interface Token {
  /**
   * `text` holds C0 controls, too. `aborted` and `open` sequences are not complete; only an `open` one can still become
   * so.
   */
  readonly kind: "text" | "escape" | "csi" | "string" | "aborted" | "open";
  readonly from: number;
  readonly to: number;
  /** The tokenizer after the token, which describes the sequence. Valid until the next token. */
  readonly sequence: EscapeTokenizer;
}

/** All tokens in order, without gaps. The terminator of a string belongs to it. */
export function* tokensOf(bytes: Uint8Array): Generator<Token, void, undefined> {
  const sequence = new EscapeTokenizer();
  let from = 0;
  while (from < bytes.length) {
    const begin = bytes.indexOf(ESC, from);
    const end = begin < 0 ? bytes.length : begin;
    if (end > from) yield { kind: "text", from, to: end, sequence };
    if (begin < 0) return;
    const { kind, to } = readSequence(bytes, begin, sequence);
    yield { kind, from: begin, to, sequence };
    from = to;
  }
}

function readSequence(
  bytes: Uint8Array,
  begin: number,
  sequence: EscapeTokenizer,
): { readonly kind: Token["kind"]; readonly to: number } {
  sequence.begin();
  let to = begin + 1;
  while (to < bytes.length && !sequence.isIdle) {
    to = sequence.read(bytes, to);
    if (sequence.step === "control") to += 1;
  }
  if (!sequence.isIdle) return { kind: "open", to };
  const { step } = sequence;
  if (step === "escape" || step === "csi") return { kind: step, to };
  if (step !== "string-end") return { kind: "aborted", to };
  const isBeforeSt = bytes[to] === ESC && bytes[to + 1] === BACKSLASH;
  return { kind: "string", to: isBeforeSt ? to + 2 : to };
}
