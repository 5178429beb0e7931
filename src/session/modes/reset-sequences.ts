/** The sequences that reset a terminal for a shell, after a program that did not do so itself. */
import type { TrackedModes } from "./apply-mode.ts";

export const LEAVE_ALTERNATE_SCREEN = "\x1b[?1049l";

/** Resets the modes of keys, pastes, the mouse and the focus. */
export const RESET_KEY_MODES: string = [
  "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?2004l",
  "\x1b[?1l\x1b>\x1b[>4;0m",
].join("");

/**
 * Resets everything that a program may have set and that a shell does not expect: mouse, focus and paste reports,
 * keypad and arrow modes, key protocols (xterm's and kitty's), scrolling region, margins, insertion, line ends, no
 * wrapping, held output, colours, character sets, and a hidden or shaped caret. The caret stays where it is: DECSC and
 * DECRC keep it from DECSTBM, which moves it.
 */
export const RESET_MODES: string = [
  RESET_KEY_MODES,
  "\x1b[=0;1u",
  "\x1b7\x1b[?69l\x1b[r\x1b8\x1b[4l\x1b[20l\x1b[?7h\x1b[?5l\x1b[?2026l",
  "\x1b[0m\x0f\x1b(B\x1b[0 q\x1b[?12l\x1b[?25h",
].join("");

/** DECOM: few programs set it, and resetting it moves the caret, so it is reset only if it was set. */
export const RESET_ORIGIN_MODE = "\x1b[?6l\x1b[999;1H";

type Undo = readonly [isSet: (modes: TrackedModes) => boolean, sequence: string];

const UNDOS: readonly Undo[] = [
  [({ applicationCursor }) => applicationCursor, "\x1b[?1l"],
  [({ applicationKeypad }) => applicationKeypad, "\x1b>"],
  [({ bracketedPaste }) => bracketedPaste, "\x1b[?2004l"],
  [({ modifyOtherKeys }) => modifyOtherKeys !== 0, "\x1b[>4;0m"],
  [({ mouse }) => mouse !== "none", "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l"],
  [({ mouseEncoding }) => mouseEncoding !== "default", "\x1b[?1005l\x1b[?1006l\x1b[?1015l"],
  [({ focusEvents }) => focusEvents, "\x1b[?1004l"],
  [({ isOriginMode }) => isOriginMode, RESET_ORIGIN_MODE],
  [({ isCaretHidden }) => isCaretHidden, "\x1b[?25h"],
];

/**
 * The sequences that undo the modes that a program has left set. A program on the alternate screen has probably set
 * others that are not tracked. Empty if no mode is set.
 */
export function undoSequences(modes: TrackedModes): string {
  if (modes.isAlternateScreen) return resetSequences(modes);
  return UNDOS.filter(([isSet]) => isSet(modes))
    .map(([, sequence]) => sequence)
    .join("");
}

/** What decides how much must be reset. */
export interface ScreenModes {
  readonly isAlternateScreen: boolean;
  readonly isOriginMode: boolean;
}

/** `before`: what must be reset while the program's screen is still shown. */
export function resetSequences({ isAlternateScreen, isOriginMode }: ScreenModes, before = ""): string {
  const origin = isOriginMode ? RESET_ORIGIN_MODE : "";
  return `${origin}${before}${isAlternateScreen ? LEAVE_ALTERNATE_SCREEN : ""}${RESET_MODES}`;
}
