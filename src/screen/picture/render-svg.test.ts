import fc from "fast-check";
import { expect, test } from "vitest";
import { snapshotOf, styled, wide } from "../../../test/support/screen/snapshots.ts";
import type { Cell, Snapshot } from "../snapshot.ts";
import { renderSvg } from "./render-svg.ts";

const SHOWN: Readonly<Record<string, Snapshot>> = {
  attributes: snapshotOf(
    [
      [...styled("plain "), ...styled("bold", { bold: true, fg: 0 }), ...styled(" dim", { dim: true })],
      [...styled("italic", { italic: true }), ...styled(" inverse", { inverse: true, fg: 2 })],
      [...styled("single", { underline: "single" }), ...styled("double", { underline: "double" })],
      [...styled("curly", { underline: "curly", underlineColor: 1 }), ...styled("dots", { underline: "dotted" })],
      [...styled("dashed", { underline: "dashed" }), ...styled("gone", { strike: true })],
      [...styled("over", { overline: true }), ...styled("secret", { invisible: true })],
      [...styled("256", { fg: 208, bg: 17 }), ...styled("true", { fg: { r: 1, g: 2, b: 3 } })],
    ],
    { caret: { row: 0, col: 0, at: 0, isVisible: true } },
  ),
  frames: snapshotOf([
    [...styled("┌─┬╖")],
    [...styled("│"), ...wide("漢"), ...styled("║")],
    [...styled("╰─┴╜▒⣿")],
    [...styled(" ~ ", { bg: 4 }), ...styled("\ue0b0", { fg: 4 })],
  ]),
};

test.each(Object.keys(SHOWN))("%s are drawn as in their golden file", async (name) => {
  const svg = renderSvg(SHOWN[name] as Snapshot, { title: "a <b> & c" });

  await expect(svg).toMatchFileSnapshot(`../../../test/golden/pictures/${name}.svg`);
});

test("nothing that a program prints becomes part of the document", () => {
  const text = fc.oneof(
    fc.constantFrom("<", ">", "&", '"', "'", "]]>", "<!--", "</text>", "<script>", "\0", "\x1b", "\x9b", "\ud800"),
    fc.constantFrom("\u202e", "\ufffe", "&#60;", "\u0301", "─"),
    fc.string({ unit: "binary", maxLength: 40 }),
  );
  // What is left of a document when the elements that we write are taken away.
  const ours = /<\/?(?:svg|rect|g|text|path|defs|use)(?: [a-z:A-Z-]+="[^"<>&]*")*\/?>/gu;

  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), fc.boolean(), (texts, bold) => {
      const cells = texts.map((given): Cell => ({ ...(styled("x", { bold })[0] as Cell), text: given }));
      const svg = renderSvg(snapshotOf([cells]), { title: texts.join("") });
      const left = svg.replace(ours, "");
      expect(left).not.toMatch(/[<>\0-\x09\x0b-\x1f\x7f-\x9f\p{Cs}\ufffe\uffff\u202e]/u);
      expect(left.replace(/&(?:amp|lt|gt|quot|#39);/gu, "")).not.toContain("&");
    }),
    { numRuns: 500 },
  );
});

test("a cell with ten thousand accents does not make a long document", () => {
  const zalgo = snapshotOf([styled("x").map((cell) => ({ ...cell, text: `a${"\u0301".repeat(10_000)}` }))]);

  expect(renderSvg(zalgo).length).toBeLessThan(1_000);
});

test("a snapshot without attributes is drawn from its lines", () => {
  const { cells: _, ...plain } = snapshotOf([[...styled("ab "), ...wide("漢"), ...styled("c")]]);

  expect(renderSvg(plain)).toBe(renderSvg(snapshotOf([[...styled("ab "), ...wide("漢"), ...styled("c")]])));
});

test.each(["block", "underline", "bar"] as const)("a caret behind the last column is drawn in it, as a %s", (shape) => {
  const row = [styled("abc")];
  const behind = snapshotOf(row, { caret: { row: 0, col: 3, at: 3, isVisible: true, shape } });
  const inside = snapshotOf(row, { caret: { row: 0, col: 2, at: 2, isVisible: true, shape } });

  expect(renderSvg(behind)).toBe(renderSvg(inside));
  expect(renderSvg(behind)).not.toBe(renderSvg(snapshotOf(row)));
});
