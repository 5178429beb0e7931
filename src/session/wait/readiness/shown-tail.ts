/** Reads from the end of the output what a program shows at its caret. Pure. */
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
  // The cleaner omits text on the alternate screen, so the switches of the screen are not passed to it.
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

/** Whether the output moves the caret up or to a position, as programs do that redraw an area. */
export function placesCaret(output: Uint8Array): boolean {
  for (const { kind, sequence } of tokensOf(output)) if (kind === "csi" && PLACING.has(sequence.name)) return true;
  return false;
}

/** Whether something visible was printed on the alternate screen, since the switch if the tail contains it. */
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
