/** The sequences that set a fresh terminal to the modes a program uses; the caret comes last. Pure. */
import type { DrawingModes, TerminalModes } from "../../base/terminal-modes.ts";
import type { Caret } from "../snapshot.ts";
import { HIDE_CARET, SET_ORIGIN_MODE } from "./terminal-sequences.ts";

const MOUSE: Readonly<Record<TerminalModes["mouse"], string>> = {
  none: "",
  x10: "\x1b[?9h",
  press: "\x1b[?1000h",
  drag: "\x1b[?1002h",
  any: "\x1b[?1003h",
};
const ENCODINGS: Readonly<Record<TerminalModes["mouseEncoding"], string>> = {
  default: "",
  utf8: "\x1b[?1005h",
  sgr: "\x1b[?1006h",
  urxvt: "\x1b[?1015h",
};
/** DECSCUSR, steady shapes. */
const SHAPES: Readonly<Record<NonNullable<Caret["shape"]>, number>> = { block: 2, underline: 4, bar: 6 };

/** Those that decide what keys, pastes, the mouse and the focus send. */
export function keyModes(modes: TerminalModes): string {
  return [
    modes.applicationCursor ? "\x1b[?1h" : "",
    modes.applicationKeypad ? "\x1b=" : "",
    modes.bracketedPaste ? "\x1b[?2004h" : "",
    modes.focusEvents ? "\x1b[?1004h" : "",
    modes.modifyOtherKeys > 0 ? `\x1b[>4;${modes.modifyOtherKeys}m` : "",
    MOUSE[modes.mouse],
    ENCODINGS[modes.mouseEncoding],
  ].join("");
}

export function setModes(modes: TerminalModes & DrawingModes, caret: Caret): string {
  const { region } = modes;
  // Rows count from the top of the region in origin mode.
  const row = modes.origin && region ? caret.row - region.top : caret.row;
  return [
    keyModes(modes),
    modes.wrap ? "\x1b[?7h" : "\x1b[?7l",
    modes.insert ? "\x1b[4h" : "",
    region ? `\x1b[${region.top + 1};${region.bottom + 1}r` : "",
    modes.origin ? SET_ORIGIN_MODE : "",
    caret.shape ? `\x1b[${SHAPES[caret.shape]} q` : "",
    // Setting a region or the origin moves it.
    `\x1b[${row + 1};${caret.col + 1}H`,
    caret.isVisible ? "" : HIDE_CARET,
  ].join("");
}
