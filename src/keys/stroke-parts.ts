/** Strokes as parts of input, with a gap between two where a program could read both as one. Pure. */
import type { TerminalModes } from "../base/terminal-modes.ts";
import type { InputGap } from "../session/input/input-gap.ts";
import type { InputPart } from "../session/input/input-part.ts";
import { encodeStroke } from "./encode-stroke.ts";
import { parseKey } from "./parse-key.ts";
import type { Stroke } from "./parse-stroke.ts";

/** `modes`: those of the program at the moment of the call. A key may change them for the keys after it. */
export function strokeParts(strokes: readonly Stroke[], modes: () => TerminalModes): InputPart[] {
  return strokes.map((stroke, index) => {
    const before = strokes[index - 1];
    const gap = before && gapBetween(before, stroke);
    // Text is the same in all modes, and may be long.
    const text = stroke.kind === "text" ? encodeStroke(stroke, modes()) : undefined;
    return { encode: () => text ?? encodeStroke(stroke, modes()), ...(gap === undefined ? {} : { gap }) };
  });
}

function gapBetween(before: Stroke, stroke: Stroke): InputGap | undefined {
  if (before.kind === "text" && stroke.kind === "text") return undefined;
  if (effectOf(before) === "escape") return "escape";
  return effectOf(before) === "text" && effectOf(stroke) === "enter" ? "burst" : "read";
}

function effectOf(stroke: Stroke): "text" | "enter" | "escape" | "other" {
  if (stroke.kind === "mouse") return "other";
  if (stroke.kind !== "key") return "text";
  const key = parseKey(stroke.name);
  if (key.kind === "character") return key.ctrl || key.alt ? "other" : "text";
  if (key.name === "Enter" || key.name === "KPEnter") return "enter";
  if (key.name === "Esc") return "escape";
  return key.name === "Space" ? "text" : "other";
}
