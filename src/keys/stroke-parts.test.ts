import { expect, test } from "vitest";
import { DEFAULT_MODES } from "../base/terminal-modes.ts";
import type { InputGap } from "../session/input/input-gap.ts";
import { parseStroke, type Stroke } from "./parse-stroke.ts";
import { strokeParts } from "./stroke-parts.ts";

const text = (content: string): Stroke => ({ kind: "text", text: content });
const gapsOf = (strokes: readonly Stroke[]) => strokeParts(strokes, () => DEFAULT_MODES).map(({ gap }) => gap);

test.each<[string, readonly Stroke[], readonly (InputGap | undefined)[]]>([
  ["text and Enter", [text("hi"), parseStroke("Enter")], [undefined, "burst"]],
  ["a paste and Enter", [{ kind: "paste", text: "hi" }, parseStroke("Enter")], [undefined, "burst"]],
  ["a character and Enter", ["y", "Return"].map(parseStroke), [undefined, "burst"]],
  ["Down and Enter", ["Down", "Enter"].map(parseStroke), [undefined, "read"]],
  ["text and an arrow", [text("hi"), parseStroke("Left")], [undefined, "read"]],
  ["Escape and a letter", ["Esc", "O"].map(parseStroke), [undefined, "escape"]],
  ["Escape and text", [parseStroke("Esc"), text(":q")], [undefined, "escape"]],
  ["a control key and a letter", ["Ctrl+X", "o"].map(parseStroke), [undefined, "read"]],
  ["two clicks", ["Click(1,1)", "Click(2,1)"].map(parseStroke), [undefined, "read"]],
  ["two texts", [text("a"), text("b")], [undefined, undefined]],
])("%s are as far apart as a program needs", (_, strokes, gaps) => {
  expect(gapsOf(strokes)).toEqual(gaps);
});

test("a key is encoded in the modes that hold when its turn comes", () => {
  let modes = DEFAULT_MODES;
  const [, second] = strokeParts(["i", "Up"].map(parseStroke), () => modes);

  modes = { ...modes, applicationCursor: true };

  expect(Buffer.from(second?.encode() ?? []).toString()).toBe("\x1bOA");
});
