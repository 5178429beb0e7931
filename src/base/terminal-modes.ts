/** What a program asked of its terminal that changes how keys, pastes and mouse events reach it. */

/** Plain data; a fresh terminal has `DEFAULT_MODES`. */
export interface TerminalModes {
  /** DECCKM: cursor keys are sent as SS3 instead of CSI. */
  readonly applicationCursor: boolean;
  /** DECKPAM: keys of the number pad are sent as sequences. */
  readonly applicationKeypad: boolean;
  /** Mode 2004: a paste is put between two marks. */
  readonly bracketedPaste: boolean;
  /** XTMODKEYS 4: how far modified keys are sent as sequences of their own. */
  readonly modifyOtherKeys: 0 | 1 | 2;
  /** Which mouse events it wants: modes 1000 (`press`: and releases), 1002, 1003, and 9. */
  readonly mouse: "none" | "press" | "drag" | "any" | "x10";
  /** Modes 1005, 1006 and 1015. */
  readonly mouseEncoding: "default" | "utf8" | "sgr" | "urxvt";
  /** Mode 1004: told when the terminal gains and loses the focus. */
  readonly focusEvents: boolean;
}

/** What it asked that changes where its output goes: another terminal that is to show what follows must know of it. */
export interface DrawingModes {
  /** DECAWM: text that is too long goes on in the next row. */
  readonly wrap: boolean;
  /** IRM: text moves what stands behind it to the right. */
  readonly insert: boolean;
  /** DECOM: rows count from the top of the region. */
  readonly origin: boolean;
  /** DECSTBM: the first and the last row that scroll, from 0; null where all do. */
  readonly region: { readonly top: number; readonly bottom: number } | null;
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
