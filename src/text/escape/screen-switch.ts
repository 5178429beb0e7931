/** Whether a sequence takes the program to its alternate screen or back: DECSET and DECRST 47, 1047 and 1049. */
import type { EscapeTokenizer } from "./escape-tokenizer.ts";

const PRIVATE = 0x3f;
const SET = 0x68;
const RESET = 0x6c;

export function screenSwitch(
  sequence: Pick<EscapeTokenizer, "prefix" | "final" | "intermediates" | "params">,
): "enter" | "leave" | undefined {
  const { prefix, final, intermediates, params } = sequence;
  if (prefix !== PRIVATE || intermediates !== "" || (final !== SET && final !== RESET)) return undefined;
  const isSwitch = params.values.some((mode, index) => isAlternateScreenMode(mode) && !params.isSubParam(index));
  if (!isSwitch) return undefined;
  return final === SET ? "enter" : "leave";
}

function isAlternateScreenMode(mode: number): boolean {
  return mode === 47 || mode === 1047 || mode === 1049;
}
