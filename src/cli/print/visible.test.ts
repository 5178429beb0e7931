import { expect, test } from "vitest";
import { visible, visibleJson, visibleLine } from "./visible.ts";

test("a control sequence in a text for a person is shown and not carried out", () => {
  expect(visible("a\x1b[31m\r\x9b\x07b\n\tc")).toBe("a⟨U+001B⟩[31m⟨U+000D⟩⟨U+009B⟩⟨U+0007⟩b\n\tc");
});

test("characters that change the order of a text are shown", () => {
  expect(visible("txt.\u202eexe")).toBe("txt.⟨U+202E⟩exe");
});

test("on one line, line ends and tabs become blanks", () => {
  expect(visibleLine("one\r\ntwo\tthree\u2028four\x1b")).toBe("one two three four⟨U+001B⟩");
});

test("JSON has no character that acts on a terminal, and stays equal", () => {
  const value = { name: "a\x1b\x9b\x7f\u202e\u{e0041}👩‍💻é", list: ["\u2028"] };
  const text = visibleJson(value);

  expect(text).not.toMatch(/[\0-\x1f\x7f-\x9f\p{Cf}\u2028]/u);
  expect(JSON.parse(text)).toEqual(value);
});
