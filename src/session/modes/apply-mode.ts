/** Pure: computes the modes of a terminal after a sequence that sets or resets some. Resets follow xterm.js. */
import { DEFAULT_MODES, type TerminalModes } from "../../base/terminal-modes.ts";

/**
 * The modes that keys need, two that must be reset in a person's terminal on detach, and whether the caret is visible.
 */
export interface TrackedModes extends TerminalModes {
  readonly isAlternateScreen: boolean;
  readonly isOriginMode: boolean;
  readonly isCaretHidden: boolean;
  /** Whether origin mode was set when the caret was saved, on either screen. */
  readonly savedOrigin: { readonly main: boolean; readonly alternate: boolean };
}

export const INITIAL_MODES: TrackedModes = {
  ...DEFAULT_MODES,
  isAlternateScreen: false,
  isOriginMode: false,
  isCaretHidden: false,
  savedOrigin: { main: false, alternate: false },
};

const MOUSE: Readonly<Record<number, TerminalModes["mouse"]>> = { 9: "x10", 1000: "press", 1002: "drag", 1003: "any" };
const ENCODINGS: Readonly<Record<number, TerminalModes["mouseEncoding"]>> = {
  1005: "utf8",
  1006: "sgr",
  1015: "urxvt",
};

/** After DECSET or DECRST of one mode. */
export function applyMode(modes: TrackedModes, mode: number, action: "set" | "reset"): TrackedModes {
  const isSet = action === "set";
  switch (mode) {
    case 1:
      return { ...modes, applicationCursor: isSet };
    case 6:
      return { ...modes, isOriginMode: isSet };
    case 25:
      return { ...modes, isCaretHidden: !isSet };
    case 66:
      return { ...modes, applicationKeypad: isSet };
    case 9:
    case 1000:
    case 1002:
    case 1003:
      return { ...modes, mouse: (isSet && MOUSE[mode]) || "none" };
    case 1004:
      return { ...modes, focusEvents: isSet };
    case 1005:
    case 1006:
    case 1015:
      return { ...modes, mouseEncoding: encodingAfter(modes.mouseEncoding, mode, action) };
    case 47:
    case 1047:
      return { ...modes, isAlternateScreen: isSet };
    case 1048:
      return isSet ? saveCaret(modes) : restoreCaret(modes);
    case 1049:
      return isSet
        ? { ...saveCaret(modes), isAlternateScreen: true }
        : restoreCaret({ ...modes, isAlternateScreen: false });
    case 2004:
      return { ...modes, bracketedPaste: isSet };
    default:
      return modes;
  }
}

/** After DECSC, which also saves origin mode. */
export function saveCaret(modes: TrackedModes): TrackedModes {
  return { ...modes, savedOrigin: { ...modes.savedOrigin, [screenOf(modes)]: modes.isOriginMode } };
}

/** After DECRC. */
export function restoreCaret(modes: TrackedModes): TrackedModes {
  return { ...modes, isOriginMode: modes.savedOrigin[screenOf(modes)] };
}

/** After DECSTR. It leaves the mouse, the alternate screen and XTMODKEYS as they are. */
export function resetSoftly(modes: TrackedModes): TrackedModes {
  const { mouse, mouseEncoding, modifyOtherKeys, isAlternateScreen } = modes;
  const savedOrigin = { ...modes.savedOrigin, [screenOf(modes)]: false };
  return { ...INITIAL_MODES, mouse, mouseEncoding, modifyOtherKeys, isAlternateScreen, savedOrigin };
}

function screenOf({ isAlternateScreen }: TrackedModes): keyof TrackedModes["savedOrigin"] {
  return isAlternateScreen ? "alternate" : "main";
}

/** After DECSET or DECRST of one mode: a later encoding replaces an earlier one. */
export function encodingAfter(
  current: TerminalModes["mouseEncoding"],
  mode: number,
  action: "set" | "reset",
): TerminalModes["mouseEncoding"] {
  const encoding = ENCODINGS[mode];
  if (encoding === undefined) return current;
  if (action === "set") return encoding;
  return current === encoding ? "default" : current;
}

/** After XTMODKEYS, `CSI > resource ; level m`. Without a level, or without anything, the resource is reset. */
export function keyLevelAfter(
  current: TerminalModes["modifyOtherKeys"],
  [resource = 0, level = 0]: readonly number[],
): TerminalModes["modifyOtherKeys"] {
  if (resource !== 4 && resource !== 0) return current;
  return level === 1 || level === 2 ? level : 0;
}
