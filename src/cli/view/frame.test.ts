import { expect, test } from "vitest";
import { snapshotOf, styled } from "../../../test/support/screen/snapshots.ts";
import { frameOf } from "./frame.ts";

const screen = snapshotOf(
  ["one", "two", "three"].map((text) => styled(text)),
  {
    caret: { row: 2, col: 1, at: 1, isVisible: true },
  },
);
const EDGE = "\x1b[6G\x1b[2m│";

test("a smaller screen has a line at its right end, and below it says what this is", () => {
  expect(frameOf(screen, { own: { cols: 40, rows: 5 }, status: "7 (dev), 5x3" })).toEqual({
    lines: [`one${EDGE}`, `two${EDGE}`, `three${EDGE}`, "", "\x1b[2m7 (dev), 5x3"],
    caret: "\x1b[3;2H\x1b[0 q\x1b[?25h",
  });
});

test("of a larger screen the part with the caret is shown, by rows and by columns", () => {
  const wide = { ...screen, caret: { ...screen.caret, col: 3 } };

  expect(frameOf(screen, { own: { cols: 2, rows: 2 }, status: "unseen" })).toEqual({
    lines: ["tw", "th"],
    caret: "\x1b[2;2H\x1b[0 q\x1b[?25h",
  });
  expect(frameOf(wide, { own: { cols: 2, rows: 2 }, status: "unseen" })).toEqual({
    lines: ["o", "re"],
    caret: "\x1b[2;2H\x1b[0 q\x1b[?25h",
  });
});

test("a notice covers the last line and the caret on it", () => {
  expect(frameOf(screen, { own: { cols: 5, rows: 3 }, status: "", notice: "said to you" })).toEqual({
    lines: ["one", "two", "\x1b[7msaid…"],
    caret: "",
  });
});

test("a caret that is hidden is not shown", () => {
  const hidden = { ...screen, caret: { ...screen.caret, isVisible: false } };

  expect(frameOf(hidden, { own: { cols: 5, rows: 3 }, status: "" })).toEqual({
    lines: ["one", "two", "three"],
    caret: "",
  });
});
