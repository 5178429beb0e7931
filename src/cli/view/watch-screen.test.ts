import { expect, test } from "vitest";
import { snapshotOf, styled } from "../../../test/support/snapshots.ts";
import { frameOf } from "./watch-screen.ts";

const session = { id: 7, name: "dev" };
const screen = snapshotOf(
  ["one", "two", "three"].map((text) => styled(text)),
  {
    caret: { row: 2, col: 1, at: 1, isVisible: true },
  },
);

test("below a smaller screen it says what this is and how to leave", () => {
  expect(frameOf(screen, session, { cols: 40, rows: 5 })).toEqual({
    lines: ["one", "two", "three", "", "\x1b[2m7 (dev), 5x3. Ctrl+C leaves."],
    caret: "\x1b[3;2H\x1b[?25h",
  });
});

test("of a larger screen the part with the caret is shown", () => {
  expect(frameOf(screen, session, { cols: 2, rows: 2 })).toEqual({
    lines: ["tw", "th"],
    caret: "\x1b[2;2H\x1b[?25h",
  });
});

test("a caret that is hidden or outside is not shown", () => {
  const hidden = { ...screen, caret: { ...screen.caret, isVisible: false } };

  expect(frameOf(hidden, session, { cols: 5, rows: 3 })).toEqual({ lines: ["one", "two", "three"], caret: "" });
  expect(frameOf(screen, session, { cols: 1, rows: 3 })).toEqual({ lines: ["o", "t", "t"], caret: "" });
});
