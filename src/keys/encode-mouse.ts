/**
 * What a terminal sends for a mouse event to a program that asked for such events: X10, press, drag and any-move
 * reports.
 */

import { MAX_COLS, MAX_MOUSE_CLICKS, MAX_ROWS, MAX_WHEEL_STEPS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { TerminalModes } from "../base/terminal-modes.ts";
import { encodeReport, type MouseReport } from "./mouse-report.ts";

/** A button of the mouse. */
export type MouseButton = "left" | "middle" | "right";
/** A key that is held during a mouse event. */
export type MouseModifier = "shift" | "alt" | "ctrl";

interface MousePlace {
  /** From 0, at the left. */
  readonly col: number;
  /** From 0, at the top. */
  readonly row: number;
  /** The keys that are held during the event. */
  readonly modifiers?: readonly MouseModifier[];
}

/** What the mouse does, and in which cell of the screen. */
export type MouseEvent =
  /** Pressed and released `count` times: 2 for a double click. Default 1. */
  | ({ readonly kind: "click"; readonly button?: MouseButton; readonly count?: number } & MousePlace)
  | ({ readonly kind: "press" | "release"; readonly button?: MouseButton } & MousePlace)
  /** A drag if a button is held. */
  | ({ readonly kind: "move"; readonly button?: MouseButton } & MousePlace)
  /** `count` steps. Default 1. */
  | ({
      readonly kind: "wheel";
      readonly direction: "up" | "down" | "left" | "right";
      readonly count?: number;
    } & MousePlace);

const BUTTONS: readonly string[] = ["left", "middle", "right"];
const WHEEL: readonly string[] = ["up", "down", "left", "right"];
const MODIFIER_BITS = { shift: 4, alt: 8, ctrl: 16 } as const;
const NO_BUTTON = 3;
const MOVING = 32;
const WHEEL_CODE = 64;

/**
 * The input that a mouse event produces. Refused with `MOUSE_OFF` if the program did not ask for such events, and with
 * `BAD_OPTION` if the cell is outside every screen or beyond what the program's encoding can express.
 */
export function encodeMouse(event: MouseEvent, modes: TerminalModes): Uint8Array {
  requireInteger("col", event.col, { min: 0, max: MAX_COLS - 1 });
  requireInteger("row", event.row, { min: 0, max: MAX_ROWS - 1 });
  requireWanted(event, modes);
  const reports = reportsOf(event, modes).map((report) => encodeReport(report, modes.mouseEncoding));
  return Buffer.concat(reports);
}

function reportsOf(event: MouseEvent, modes: TerminalModes): readonly MouseReport[] {
  const { col, row } = event;
  // X10 has no modifiers.
  const held = modes.mouse === "x10" ? 0 : modifierBits(event.modifiers ?? []);
  const report = (code: number, phase: MouseReport["phase"]): MouseReport => ({ code: code + held, col, row, phase });
  switch (event.kind) {
    case "press":
    case "release":
      return [report(buttonCode(event.button), event.kind)];
    case "click": {
      const count = event.count ?? 1;
      requireInteger("count", count, { min: 1, max: MAX_MOUSE_CLICKS });
      const code = buttonCode(event.button);
      const once = modes.mouse === "x10" ? [report(code, "press")] : [report(code, "press"), report(code, "release")];
      return Array.from({ length: count }, () => once).flat();
    }
    case "move":
      return [report(MOVING + (event.button === undefined ? NO_BUTTON : buttonCode(event.button)), "press")];
    case "wheel": {
      const count = event.count ?? 1;
      requireInteger("count", count, { min: 1, max: MAX_WHEEL_STEPS });
      return Array.from({ length: count }, () =>
        report(WHEEL_CODE + indexIn(WHEEL, "direction", event.direction), "press"),
      );
    }
  }
}

function requireWanted(event: MouseEvent, { mouse }: TerminalModes): void {
  if (mouse === "none") {
    throw new LimpetError(
      "MOUSE_OFF",
      `The program has not asked for mouse events, so it would not receive a ${event.kind}. Use keys, or switch its mouse support on first.`,
    );
  }
  const isDrag = event.kind === "move" && event.button !== undefined;
  const isWanted =
    event.kind === "move"
      ? mouse === "any" || (isDrag && mouse === "drag")
      : mouse !== "x10" || event.kind === "press" || event.kind === "click";
  if (isWanted) return;
  throw new LimpetError(
    "MOUSE_OFF",
    `The program asked for ${ASKED_FOR[mouse]}, not for a ${event.kind}${isDrag ? " with a button held" : ""}. Send what it asked for, or use keys.`,
  );
}

const ASKED_FOR = {
  x10: "presses of buttons only",
  press: "presses, releases and the wheel only",
  drag: "presses, releases, the wheel and moves with a button held",
  any: "all mouse events",
} as const;

function buttonCode(button: MouseButton = "left"): number {
  return indexIn(BUTTONS, "button", button);
}

function modifierBits(modifiers: readonly MouseModifier[]): number {
  return modifiers.reduce((bits, name) => {
    indexIn(Object.keys(MODIFIER_BITS), "modifier", name);
    return bits | MODIFIER_BITS[name];
  }, 0);
}

/** JavaScript callers may pass anything. */
function indexIn(known: readonly string[], what: string, given: string): number {
  const index = known.indexOf(given);
  if (index >= 0) return index;
  throw new LimpetError("BAD_OPTION", `The mouse ${what} is ${String(given)}. Give one of ${known.join(", ")}.`);
}
