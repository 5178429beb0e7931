/** Pure: reads from the end of the output what a program shows where it waits. */
import { Cleaner } from "../../../text/clean/cleaner.ts";
import { screenSwitch } from "../../../text/escape/screen-switch.ts";
import { tokensOf } from "../../../text/escape/tokens-of.ts";

/** How much of the end to read: several screens of text, or one of a program that draws. */
export const TAIL_BYTES = 4_096;
const SPACE = 0x20;
const DELETE = 0x7f;

/** The text left of the caret, on either screen, as far as the tail shows it. */
export function beforeCaret(tail: Uint8Array, cols: number): string {
  const cleaner = new Cleaner({ cols });
  let from = 0;
  // The cleaner leaves out what is drawn on the alternate screen, so it does not get to see the switch.
  for (const token of tokensOf(tail)) {
    if (token.kind !== "csi" || screenSwitch(token.sequence) === undefined) continue;
    cleaner.push(tail.subarray(from, token.from));
    from = token.to;
  }
  cleaner.push(tail.subarray(from));
  return cleaner.beforeCaret;
}

/** CUU, CPL, CUP and HVP. */
const PLACING = new Set(["A", "F", "H", "f"]);

/** Whether it moves the caret up or to a place, as programs do that draw an area again and again. */
export function placesCaret(output: Uint8Array): boolean {
  for (const { kind, sequence } of tokensOf(output)) if (kind === "csi" && PLACING.has(sequence.name)) return true;
  return false;
}

/** On the alternate screen: whether something visible was printed, since the switch if the tail has it. */
export function hasDrawn(tail: Uint8Array): boolean {
  let isDrawn = false;
  for (const { kind, from, to, sequence } of tokensOf(tail)) {
    if (kind === "csi" && screenSwitch(sequence) === "enter") isDrawn = false;
    else if (kind === "text" && !isDrawn) isDrawn = tail.subarray(from, to).some(isVisible);
  }
  return isDrawn;
}

function isVisible(byte: number): boolean {
  return byte > SPACE && byte !== DELETE;
}
