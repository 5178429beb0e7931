import { expect, test } from "vitest";
import { pressInScroll, type ScrollModel, scrollModel, scrollView, wrapLines } from "./scroll-model.ts";

const own = { cols: 80, rows: 4 };
const lines = Array.from({ length: 10 }, (_, index) =>
  index === 2 || index === 9 ? `error ${index}` : `line ${index}`,
);

function after(...keys: string[]): ScrollModel | undefined {
  return keys.reduce<ScrollModel | undefined>(
    (model, key) => model && pressInScroll(model, key, own),
    scrollModel(lines, own),
  );
}

function shown(model: ScrollModel | undefined): string {
  const [first = "", , , status = ""] = model ? scrollView(model, own) : [];
  return `${first} | ${status.replace("\x1b[7m", "")}`;
}

test("it begins at the end, and moves by lines and pages within the output", () => {
  expect(shown(after())).toBe("line 7 | 8-10 of 10  ↑↓ PgUp PgDn g G move  / search  n N next  q back");
  expect(shown(after("k"))).toMatch(/^line 6 \| 7-9 of 10/);
  expect(shown(after("\x1b[5~", "\x1b[5~"))).toMatch(/^line 3 /);
  expect(shown(after("g", "k"))).toMatch(/^line 0 \| 1-3 of 10/);
  expect(shown(after("g", "G", "j"))).toMatch(/^line 7 /);
});

test("a search finds older lines first, goes on, and begins again at the end", () => {
  const first = after("/", "E", "r", "x", "\x7f", "\r");

  expect(first).toMatchObject({ match: 9, top: 7, message: '2 of 2 lines with "Er"' });
  expect(first && shown(pressInScroll(first, "n", own))).toBe(
    '\x1b[7mer\x1b[0mror 2 | 3-5 of 10  1 of 2 lines with "Er"',
  );
  expect(after("/", "e", "r", "\r", "n", "n")?.match).toBe(9);
  expect(after("/", "e", "r", "\r", "N")?.match).toBe(2);
});

test("a search without a result says so, and one without a word asks for it", () => {
  expect(after("/", "z", "\r")?.message).toBe('No line has "z"');
  expect(after("n")?.message).toBe("Search with /");
  expect(after("/", "\x1b")?.typing).toBeUndefined();
});

test.each(["q", "\x1b", "\x03"])("%j goes back to the live screen", (key) => {
  expect(after(key)).toBeUndefined();
});

test("a long line is shown in several", () => {
  expect(wrapLines(["short", "日本語日本語", "abcdefgh"], 5)).toEqual([
    "short",
    "日本",
    "語日",
    "本語",
    "abcde",
    "fgh",
  ]);
});
