/** Terminal modes that change how keys, pastes and mouse events reach a program. */

/** Plain data; a fresh terminal has `DEFAULT_MODES`. */
export interface TerminalModes {
  /** DECCKM: cursor keys are sent as SS3 instead of CSI. */
  readonly applicationCursor: boolean;
  /** DECKPAM: keys of the number pad are sent as sequences. */
  readonly applicationKeypad: boolean;
  /** Mode 2004: a paste is put between two marks. */
  readonly bracketedPaste: boolean;
  /** XTMODKEYS 4: which modified keys are sent as their own sequences. */
  readonly modifyOtherKeys: 0 | 1 | 2;
  /** Which mouse events it gets: modes 1000 (`press`, with releases), 1002, 1003 and 9. */
  readonly mouse: "none" | "press" | "drag" | "any" | "x10";
  /** Modes 1005, 1006 and 1015. */
  readonly mouseEncoding: "default" | "utf8" | "sgr" | "urxvt";
  /** Mode 1004: the program is notified when the terminal gains or loses focus. */
  readonly focusEvents: boolean;
}

/** Modes that change where output goes: another terminal that shows the output needs them too. */
export interface DrawingModes {
  /** DECAWM: long lines wrap to the next row. */
  readonly wrap: boolean;
  /** IRM: new text shifts existing text to the right. */
  readonly insert: boolean;
  /** DECOM: rows count from the top of the region. */
  readonly origin: boolean;
  /** DECSTBM: the first and last row that scroll, from 0; null if all do. */
  readonly region: { readonly top: number; readonly bottom: number } | null;
  /** SGR: the numbers that set the colours and the style of what is written next; "" if it is plain. */
  readonly pen: string;
}

export const DEFAULT_MODES: TerminalModes = {
  applicationCursor: false,
  applicationKeypad: false,
  bracketedPaste: false,
  modifyOtherKeys: 0,
  mouse: "none",
  mouseEncoding: "default",
  focusEvents: false,
};
