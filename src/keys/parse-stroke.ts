import { LimpetError } from "../base/limpet-error.ts";
import type { MouseEvent } from "./encode-mouse.ts";

/** One piece of input: text, a key, a paste or a mouse event. */
export type Stroke =
  /** Sent unchanged. */
  | { readonly kind: "text"; readonly text: string }
  /** A name such as `Up` or `Ctrl+C`. */
  | { readonly kind: "key"; readonly name: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "mouse"; readonly event: MouseEvent };

const MOUSE = /^(double|right|middle)?(click|wheelup|wheeldown)\((\d{1,4}),\s*(\d{1,4})\)$/i;

/**
 * The stroke with that name: a key, or a mouse event at a row and a column, both from 1 as in the position of a caret:
 * `Click(3,10)`, `DoubleClick`, `RightClick`, `MiddleClick`, `WheelUp`, `WheelDown`.
 */
export function parseStroke(name: string): Stroke {
  const [, kind = "", action, row, col] = MOUSE.exec(name) ?? [];
  if (action === undefined) return { kind: "key", name };
  const place = { row: Number(row) - 1, col: Number(col) - 1 };
  const isWheel = action.toLowerCase() !== "click";
  if (isWheel && kind !== "") throw new LimpetError("BAD_OPTION", `Unknown key ${name}. Give WheelUp or WheelDown.`);
  if (isWheel) {
    const direction = action.toLowerCase() === "wheelup" ? "up" : "down";
    return { kind: "mouse", event: { kind: "wheel", direction, ...place } };
  }
  return { kind: "mouse", event: { kind: "click", ...place, ...clickOf(kind.toLowerCase()) } };
}

function clickOf(kind: string): { readonly button: "left" | "right" | "middle"; readonly count: number } {
  if (kind === "right" || kind === "middle") return { button: kind, count: 1 };
  return { button: "left", count: kind === "double" ? 2 : 1 };
}
