import { maskBytes } from "../../journal/redaction/redaction.ts";
import type { Automaton } from "./automaton.ts";
import { StreamRedactor } from "./stream-redactor.ts";

/** Replaces each byte of a secret by a mask. The same text if it contains none. */
export function redactText(automaton: Automaton, text: string): string {
  const bytes = Buffer.from(text);
  let isMasked = false;
  new StreamRedactor(automaton).push(bytes, 0, (from, to) => {
    isMasked = true;
    maskBytes(bytes, from, to);
  });
  return isMasked ? bytes.toString() : text;
}
