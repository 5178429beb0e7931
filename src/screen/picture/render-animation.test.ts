import { expect, test } from "vitest";
import { frozenSvg, restingSvg, textsOf } from "../../../test/support/screen/frozen-svg.ts";
import { BLANK, snapshotOf, styled, wide } from "../../../test/support/screen/snapshots.ts";
import type { Cell, Snapshot } from "../snapshot.ts";
import { fontsFor } from "./png/fonts-for.ts";
import { renderer } from "./png/renderer.ts";
import { renderAnimation } from "./render-animation.ts";
import { renderSvg } from "./render-svg.ts";
import { type RowScreen, type Still, StillPainter } from "./still.ts";
import { THEMES } from "./svg/theme.ts";

function screenOf({ size, caret, cells = [] }: Snapshot): RowScreen {
  return { size, caret, cells: (row) => cells[row] ?? [], rowKey: (row) => JSON.stringify(cells[row]) };
}

/** One a second. */
function stillsOf(...snapshots: readonly Snapshot[]): readonly Still[] {
  const painter = new StillPainter(THEMES.dark);
  return snapshots.map((snapshot, index) => painter.draw(index * 1000, screenOf(snapshot)));
}

/** A screen of these lines, padded, with a caret where one is given. */
function screen(lines: readonly (string | readonly Cell[])[], caret: Partial<Snapshot["caret"]> = {}): Snapshot {
  const rows = lines.map((line) => (typeof line === "string" ? styled(line) : line));
  const padded = rows.map((row) => [...row, ...Array.from({ length: 8 - row.length }, () => BLANK)]);
  return snapshotOf(padded, { caret: { row: 0, col: 0, at: 0, isVisible: Object.keys(caret).length > 0, ...caret } });
}

async function pixelsOf(svg: string): Promise<Buffer> {
  const { files } = await fontsFor([]);
  return Buffer.from((await renderer.rasterize(svg, { fonts: files, scale: 1 })).rgba);
}

async function expectToShow(snapshots: readonly Snapshot[]): Promise<void> {
  const { svg } = renderAnimation(stillsOf(...snapshots), { totalMs: snapshots.length * 1000 });
  for (const [index, snapshot] of snapshots.entries()) {
    const [shown, expected] = [frozenSvg(svg, index * 1000 + 500), renderSvg(snapshot)];
    expect((await pixelsOf(shown)).equals(await pixelsOf(expected)), `still ${index}`).toBe(true);
  }
  const end = renderSvg(snapshots.at(-1) as Snapshot);
  expect((await pixelsOf(restingSvg(svg))).equals(await pixelsOf(end)), "at rest").toBe(true);
}

test("an animation is written as in its golden file", async () => {
  const stills = stillsOf(
    screen(["$ ", ""], { row: 0, col: 2 }),
    screen(["$ <ls>", ""], { row: 0, col: 6 }),
    screen(["$ <ls>", "─ ok"], { row: 1, col: 2, shape: "bar" }),
    screen(["", "─ ok"], { row: 1, col: 2, isVisible: false }),
  );

  const { svg } = renderAnimation(stills, { totalMs: 7000, title: "a & b" });

  await expect(svg).toMatchFileSnapshot("../../../test/golden/pictures/animation.svg");
});

test("each still is shown in its time, and the last one where nothing moves", async () => {
  await expectToShow([
    screen(["a", "b"], { row: 0, col: 1 }),
    screen(["ab", styled("grey", { bg: 8, underline: "curly" })], { row: 0, col: 1 }),
    screen(["ab", "b"], { row: 1, col: 0, shape: "underline" }),
    screen(["b", "ab"], { row: 1, col: 8, shape: "bar" }),
    screen([[...wide("漢"), ...styled("x")], "b"], { row: 0, col: 1 }),
    screen(["b", "┌─┐▒"], { row: 1, col: 2 }),
    screen(["a", "b"], { row: 0, col: 0, isVisible: false }),
  ]);
});

test("a row may show more than a browser would have side by side", async () => {
  await expectToShow(Array.from({ length: 150 }, (_, index) => screen([String(index)])));
});

test("a row is stored once, in whatever place and however often it is shown", () => {
  const { svg } = renderAnimation(
    stillsOf(screen(["one", "two"]), screen(["two", "three"]), screen(["one", "two"]), screen(["two", "two"])),
    { totalMs: 4000 },
  );

  expect(textsOf(svg).toSorted()).toEqual(["one", "three", "two"]);
});

test("a caret that moves over blanks costs a few bytes", () => {
  const at = (col: number) => screen(["$ ", ""], { row: 0, col });
  const { svg: short } = renderAnimation(stillsOf(at(2), at(3)), { totalMs: 2000 });
  const { svg: long } = renderAnimation(stillsOf(at(2), at(3), at(4), at(5), at(6)), { totalMs: 5000 });

  expect(long.length - short.length).toBeLessThan(3 * 50);
});

test("one still is a picture that does not move", async () => {
  const only = screen(["ready"], { row: 0, col: 5 });

  const { svg, width, height } = renderAnimation(stillsOf(only), { totalMs: 0 });

  expect(svg).not.toMatch(/<style>|class=/);
  expect([width, height]).toEqual([8 * 9 + 16, 18 + 16]);
  expect((await pixelsOf(restingSvg(svg))).equals(await pixelsOf(renderSvg(only)))).toBe(true);
});

test("it plays again and again, or once, and not where motion is not wanted", () => {
  const stills = stillsOf(screen(["a"]), screen(["b"]));

  const { svg: forever } = renderAnimation(stills, { totalMs: 4500 });
  const { svg: once } = renderAnimation(stills, { totalMs: 1000, once: true });

  expect(forever).toContain(".m{animation:4.5s steps(1) infinite}");
  expect(once).toContain(".m{animation:1s steps(1) 1}");
  expect(once).toContain("@keyframes k0{0%{transform:translate(-88px)}100%{transform:none}}");
  for (const svg of [forever, once]) expect(svg).toContain("@media(prefers-reduced-motion:reduce){.m{animation:none}}");
});

test("a day is told apart to a hundredth of a second", () => {
  const [first, second] = stillsOf(screen(["a"]), screen(["b"])) as [Still, Still];

  const { svg } = renderAnimation([first, { ...second, atMs: 40 }, { ...first, atMs: 80 }], { totalMs: 86_400_000 });

  expect(svg).toContain("{0%,0.00009%{transform:none}0.00005%{transform:translate(-88px)}}");
});
