/** Control sequences for the person's own terminal. */

export const ENTER_ALTERNATE_SCREEN = "\x1b[?1049h";
export const LEAVE_ALTERNATE_SCREEN = "\x1b[?1049l";
export const CLEAR_SCREEN = "\x1b[H\x1b[2J";
export const HIDE_CARET = "\x1b[?25l";
export const SHOW_CARET = "\x1b[?25h";
export const BELL = "\x07";

/** What a program may have asked of keys, pastes, the mouse and the focus. */
export const RESET_KEY_MODES: string = [
  "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?2004l",
  "\x1b[?1l\x1b>\x1b[>4;0m",
].join("");

/**
 * All that a program may have asked of a terminal and that a shell does not expect: mouse, focus and paste reports,
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
export const SET_ORIGIN_MODE = "\x1b[?6h";
export const RESET_ORIGIN_MODE = "\x1b[?6l\x1b[999;1H";

/** Tab stops at every eighth column again. The caret stays where it is. */
export function resetTabStops(cols: number): string {
  const stops = Array.from({ length: Math.ceil(cols / 8) - 1 }, (_, index) => `\x1b[${8 * (index + 1) + 1}G\x1bH`);
  return `\x1b7\x1b[3g${stops.join("")}\x1b8`;
}
