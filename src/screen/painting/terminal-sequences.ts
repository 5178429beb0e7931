/** Control sequences for the person's own terminal. */

export const ENTER_ALTERNATE_SCREEN = "\x1b[?1049h";
export const CLEAR_SCREEN = "\x1b[H\x1b[2J";
export const HIDE_CARET = "\x1b[?25l";
export const SHOW_CARET = "\x1b[?25h";
export const BELL = "\x07";

/** DECOM. */
export const SET_ORIGIN_MODE = "\x1b[?6h";

/** Tab stops at every eighth column again. The caret stays where it is. */
export function resetTabStops(cols: number): string {
  const stops = Array.from({ length: Math.ceil(cols / 8) - 1 }, (_, index) => `\x1b[${8 * (index + 1) + 1}G\x1bH`);
  return `\x1b7\x1b[3g${stops.join("")}\x1b8`;
}
