import { expect, test } from "vitest";
import { parseStroke, type Stroke } from "../../keys/parse-stroke.ts";
import { pipeActs } from "./pipe-acts.ts";

const text = (content: string): Stroke => ({ kind: "text", text: content });
const done = (strokes: readonly Stroke[]) =>
  pipeActs(strokes).map((act) => (act.kind === "effect" ? act.effect : `type ${JSON.stringify(act.stroke)}`));
const typed = (content: string) => `type ${JSON.stringify(text(content))}`;

test.each<[string, readonly Stroke[], readonly string[]]>([
  ["Ctrl+C as text", [text("\x03")], ["SIGINT"]],
  ["Ctrl+C by name", [parseStroke("^c")], ["SIGINT"]],
  ["Ctrl+\\", [parseStroke("Ctrl+\\")], ["SIGQUIT"]],
  ["Ctrl+C twice", [text("\x03\x03")], ["SIGINT", "SIGINT"]],
  ["Ctrl+D alone", [text("\x04")], ["input closed"]],
  ["Ctrl+D after a line", [text("a\n\x04")], [typed("a\n"), "input closed"]],
  ["Ctrl+D by name after text", [text("a"), parseStroke("Ctrl+D")], [typed("a"), "input closed"]],
  ["control characters inside data", [text("\x03a\x04")], [typed("\x03a\x04")]],
  ["Ctrl+D at the end of data without a line end", [text("a\x04")], [typed("a\x04")]],
  ["an ordinary key", [parseStroke("Enter")], [`type ${JSON.stringify(parseStroke("Enter"))}`]],
])("%s has its effect without a terminal", (_, strokes, expected) => {
  expect(done(strokes)).toEqual(expected);
});
