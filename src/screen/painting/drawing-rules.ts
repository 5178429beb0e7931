/**
 * Decides which control sequences of a program may reach a person's terminal: those that draw. Pure.
 *
 * This is an allowlist: a sequence that is not in the list does not pass. No string passes (titles, clipboard, palette,
 * pictures, questions), and no sequence that a terminal answers by typing.
 */
import type { TerminalSize } from "../../base/terminal-size.ts";
import { LEAVE_ALTERNATE_SCREEN, RESET_MODES, RESET_ORIGIN_MODE } from "../../session/modes/reset-sequences.ts";
import type { EscapeTokenizer } from "../../text/escape/escape-tokenizer.ts";
import { boundedCsi } from "../drawing/bounded-csi.ts";
import { CLEAR_SCREEN } from "./terminal-sequences.ts";

/**
 * `drawing`: only what draws, for a person who watches. `terminal`: also the bell, and the modes that decide what keys
 * and the mouse send, for a person who types. Whoever shows such output resets the modes afterwards.
 */
export type Passing = "drawing" | "terminal";

/** Caret, index, tab stop, and lines of double size; G0 to G3, and the shifts to them. */
const DRAWING_ESCAPES = /^(?:[6-9DEHMNOno]|#[34568]|[()*+][0-9A-Z<>=`])$/;
/** DECKPAM and DECKPNM. */
const KEYPAD_ESCAPES = /^[=>]$/;

/** Movement, erasing, insertion, scrolling, colours, tab stops, the region, margins, the shape of the caret, DECSTR. */
const DRAWING_CSI: ReadonlySet<string> = new Set([
  ..."@ABCDEFGHIJKLMPSTXZ`abdefgmrsu",
  ...["?J", "?K", "?W", " @", " A", " q", "'}", "'~", "!p"],
]);
/** XTMODKEYS, and what the keyboard protocol of kitty pushes, pops and sets. */
const KEY_CSI: ReadonlySet<string> = new Set([">m", ">n", ">u", "<u", "=u"]);

/** IRM and LNM. */
const DRAWING_MODES: ReadonlySet<number> = new Set([4, 20]);
/** Reverse video, origin, wrapping, the caret (two), margins, the alternate screen (four), synchronized output. */
const DRAWING_PRIVATE_MODES: ReadonlySet<number> = new Set([5, 6, 7, 12, 25, 47, 69, 1047, 1048, 1049, 2026]);
/** Cursor keys, keypad, mouse, focus, pastes. */
const INPUT_PRIVATE_MODES: ReadonlySet<number> = new Set([1, 9, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 2004]);

/** ED 3 erases what the person can scroll back to, which is not the program's. */
const ERASE_SAVED_LINES = 3;
/**
 * Instead of RIS, which also resets the title, the palette and the saved lines of the person's terminal: the same
 * effect on the screen.
 */
const GENTLE_RESET: string = LEAVE_ALTERNATE_SCREEN + RESET_ORIGIN_MODE + RESET_MODES + CLEAR_SCREEN;

/** The escape sequence as it may pass; "" if it may not. */
export function passedEscape(name: string, passing: Passing): string {
  if (name === "c") return GENTLE_RESET;
  const isPassed = DRAWING_ESCAPES.test(name) || (passing === "terminal" && KEYPAD_ESCAPES.test(name));
  return isPassed ? `\x1b${name}` : "";
}

/** The CSI sequence as it may pass, with its numbers bounded by the size of the terminal; "" if it may not. */
export function passedCsi(sequence: EscapeTokenizer, passing: Passing, size: TerminalSize): string {
  const { prefix, name, params } = sequence;
  const form = prefix === 0 ? name : String.fromCharCode(prefix) + name;
  if (form === "h" || form === "l") return withModes(sequence, (mode) => DRAWING_MODES.has(mode));
  if (form === "?h" || form === "?l") return withModes(sequence, (mode) => isPassedMode(mode, passing));
  const isPassed = DRAWING_CSI.has(form) || (passing === "terminal" && KEY_CSI.has(form));
  if (!isPassed) return "";
  if (/J$/.test(form) && params.get(0, 0) === ERASE_SAVED_LINES) return "";
  // With more numbers it begins mouse tracking.
  if (form === "T" && params.length > 1) return "";
  return boundedCsi({ prefix, name, params }, size);
}

function isPassedMode(mode: number, passing: Passing): boolean {
  return DRAWING_PRIVATE_MODES.has(mode) || (passing === "terminal" && INPUT_PRIVATE_MODES.has(mode));
}

function withModes({ prefix, name, params }: EscapeTokenizer, isPassed: (mode: number) => boolean): string {
  const modes = params.numbers().filter(isPassed);
  return modes.length === 0 ? "" : `\x1b[${prefix === 0 ? "" : "?"}${modes.join(";")}${name}`;
}
