import { expect, test } from "vitest";
import type { Stroke } from "../../keys/parse-stroke.ts";
import { typedCommand } from "./typed-command.ts";

const text = (typed: string): Stroke => ({ kind: "text", text: typed });
const enter: Stroke = { kind: "key", name: "Enter" };

test("whole lines are a command", () => {
  expect(typedCommand([text("git status\n")])).toBe("git status");
  expect(typedCommand([text("git status"), enter])).toBe("git status");
  expect(typedCommand([text("cd x\rls\r")])).toBe("cd x\nls");
});

test.each<readonly [string, readonly Stroke[]]>([
  ["a line without its end", [text("r")]],
  ["an Enter alone", [text("\n")]],
  ["an Enter key alone", [enter]],
  ["a completion", [text("git st\t\n")]],
  ["a correction", [text("ls\x7f\x7frm\n")]],
  ["a repeated line", [text("!!\n")]],
  ["a substitution", [text("^ls^rm\n")]],
  ["keys in between", [text("l"), { kind: "key", name: "Up" }, enter]],
  ["a paste", [{ kind: "paste", text: "ls\n" }]],
])("%s is not a command that anybody can judge", (_what, strokes) => {
  expect(typedCommand(strokes)).toBeUndefined();
});
