/**
 * modifyOtherKeys: a program may ask for modified keys as sequences of their own, CSI 27 ; modifiers ; character ~.
 * Level 1 covers the keys without a control character, level 2 almost all keys. The exceptions are those of xterm.
 */

import type { TerminalModes } from "../base/terminal-modes.ts";
import { controlOf, isShifted } from "./key-layout.ts";
import type { Modifiers } from "./parse-key.ts";

const ENTER = "\r";
const TAB = "\t";
const ESCAPE = "\x1b";
const SPACE = " ";
const BACKSPACE = "\x7f";

/** Undefined if the key is sent as without this mode. */
export function encodeOtherKey(
  text: string,
  held: Modifiers,
  level: TerminalModes["modifyOtherKeys"],
): string | undefined {
  if (level === 0 || [...text].length !== 1) return undefined;
  const shift = held.shift || isShifted(text);
  return level === 1 ? atLevel1(text, { ...held, shift }) : atLevel2(text, { ...held, shift });
}

function atLevel1(text: string, { shift, alt, ctrl }: Modifiers): string | undefined {
  switch (text) {
    case ENTER:
    case TAB: {
      if (text === TAB && shift) return undefined;
      // Alt is sent as Escape, and replaces Ctrl.
      const isCtrl = ctrl && !alt;
      return shift || isCtrl ? sequence(text, { shift, alt: false, ctrl: isCtrl }) : undefined;
    }
    case ESCAPE:
      return alt && (shift || ctrl) ? sequence(text, { shift, alt: false, ctrl }) : undefined;
    case SPACE:
      return alt && shift && ctrl ? sequence(text, { shift, alt: false, ctrl }) : undefined;
    case BACKSPACE:
      return undefined;
    default: {
      const hasControl = controlOf(text) !== undefined && text !== "?";
      return ctrl && !hasControl ? sequence(text, { shift, alt: false, ctrl }) : undefined;
    }
  }
}

function atLevel2(text: string, held: Modifiers): string | undefined {
  const { shift, alt, ctrl } = held;
  if (!shift && !alt && !ctrl) return undefined;
  const isOnlyShift = shift && !alt && !ctrl;
  switch (text) {
    case TAB:
      return isOnlyShift ? undefined : sequence(text, held);
    case BACKSPACE:
      if (!ctrl) return sequence(text, held);
      return shift || alt ? sequence("\b", held) : undefined;
    case ENTER:
    case ESCAPE:
    case SPACE:
      return sequence(text, held);
    default:
      // Shift alone matters only if the shifted character has a different control character.
      return isOnlyShift && (text < "@" || text > "~") ? undefined : sequence(text, held);
  }
}

function sequence(text: string, held: Modifiers): string {
  return `${ESCAPE}[27;${modifierParameter(held)};${text.codePointAt(0)}~`;
}

/** xterm's number for the modifiers that are held: 1, and 1 for Shift, 2 for Alt, 4 for Ctrl. */
export function modifierParameter({ shift, alt, ctrl }: Modifiers): number {
  return 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
}
