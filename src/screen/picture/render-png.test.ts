import { expect, test } from "vitest";
import { readPng } from "../../../test/support/screen/png.ts";
import { snapshotOf, styled, wide } from "../../../test/support/screen/snapshots.ts";
import { renderPng } from "./render-png.ts";
import { CELL, MARGIN } from "./svg/grid.ts";

/** The colours of one cell, without those of its neighbours. */
async function coloursOf(picture: Promise<Uint8Array>, place: { col: number; row: number; width?: number }) {
  const png = readPng(await picture);
  const [left, top] = [MARGIN + place.col * CELL.width, MARGIN + place.row * CELL.height];
  const columns = Array.from({ length: (place.width ?? 1) * CELL.width }, (_, index) => left + index);
  const rows = Array.from({ length: CELL.height }, (_, index) => top + index);
  return new Set(columns.flatMap((x) => rows.map((y) => png.at(x, y))));
}

test("colours stand where they should, at every scale", async () => {
  const snapshot = snapshotOf([
    [...styled("█", { fg: 1 }), ...styled(" ", { bg: 21 }), ...styled(" ", { bg: { r: 1, g: 2, b: 3 } })],
    [...styled(" ", { inverse: true }), ...styled("▀", { fg: 15, bg: 0 }), ...styled("x", { invisible: true })],
  ]);

  const once = readPng(await renderPng(snapshot));
  const twice = readPng(await renderPng(snapshot, { scale: 2 }));

  const looked = [
    ...([12, 21, 30] as const).map((x) => [x, 17] as const),
    ...([12, 30] as const).map((x) => [x, 35] as const),
    ...([28, 40] as const).map((y) => [21, y] as const),
    [2, 2] as const,
  ];
  const expected = ["#d5484c", "#0000ff", "#010203", "#d8dee4", "#14161b", "#ffffff", "#000000", "#14161b"];
  expect([once.width, once.height, twice.width, twice.height]).toEqual([43, 52, 86, 104]);
  expect(looked.map(([x, y]) => once.at(x, y))).toEqual(expected);
  expect(looked.map(([x, y]) => twice.at(x * 2, y * 2))).toEqual(expected);
});

test("lines of neighbouring cells meet, also at a scale that is not whole", async () => {
  const column = snapshotOf(["│", "┃", "║", "├", "█"].map((text) => [...styled(text)]));

  for (const scale of [1, 1.3, 2]) {
    const png = readPng(await renderPng(snapshotOf([styled("────")]), { scale }));
    const y = Math.floor((MARGIN + 9.5) * scale);
    const from = Math.ceil(MARGIN * scale) + 1;
    const to = Math.floor((MARGIN + 4 * CELL.width) * scale) - 1;
    const line = Array.from({ length: to - from }, (_, index) => png.at(from + index, y));
    expect(new Set(line)).toEqual(new Set(["#d8dee4"]));
  }
  const png = readPng(await renderPng(column));
  const seen = (row: number) => [5, 4, 3].some((x) => png.at(MARGIN + x, row) === "#d8dee4");
  expect(Array.from({ length: 5 * CELL.height }, (_, index) => seen(MARGIN + index))).not.toContain(false);
});

test.each([
  ["a letter", styled("g")],
  ["a bold one", styled("g", { bold: true })],
  ["an italic one", styled("g", { italic: true })],
  ["Chinese", wide("漢")],
  ["a family", wide("👩‍👩‍👧")],
  ["a character that nobody has", styled("\u{10fffd}")],
  ["Braille", styled("⣿")],
  ["a curly line under nothing", styled(" ", { underline: "curly" })],
])("%s is never drawn as nothing", async (_what, cells) => {
  const colours = await coloursOf(renderPng(snapshotOf([cells])), { col: 0, row: 0, width: cells.length });

  expect(colours.size).toBeGreaterThan(1);
});

test("a bold letter is bolder, and a dim one less bright", async () => {
  const ink = async (attributes: object) => {
    const png = readPng(await renderPng(snapshotOf([styled("m", attributes)])));
    const cells = Array.from({ length: CELL.width * CELL.height }, (_, at) =>
      png.at(MARGIN + (at % CELL.width), MARGIN + Math.floor(at / CELL.width)),
    );
    return cells.reduce((sum, colour) => sum + Number.parseInt(colour.slice(3, 5), 16) - 0x16, 0);
  };
  const [plain, bold, dim] = [await ink({}), await ink({ bold: true }), await ink({ dim: true })];

  expect(bold).toBeGreaterThan(plain * 1.1);
  expect(dim).toBeLessThan(plain * 0.8);
});

test("more colours than a palette holds are all kept", async () => {
  const shades = Array.from({ length: 300 }, (_, at) => styled(" ", { bg: { r: at % 256, g: at >> 8, b: 77 } })).flat();

  const png = readPng(await renderPng(snapshotOf([shades])));

  const expected = shades.map((_, at) => `#${(at % 256).toString(16).padStart(2, "0")}0${at >> 8}4d`);
  expect(shades.map((_, at) => png.at(MARGIN + at * CELL.width + 4, MARGIN + 9))).toEqual(expected);
});

test("pictures asked for at once are all drawn", async () => {
  const pictures = await Promise.all([1, 2, 3, 4].map((bg) => renderPng(snapshotOf([styled(" ", { bg })]))));

  const colours = pictures.map((picture) => readPng(picture).at(12, 17));
  expect(colours).toEqual(["#d5484c", "#55b35c", "#d0a82f", "#4480dd"]);
});

test.each([
  [{ scale: 0 }, "scale is 0. Give a number above 0, up to 4."],
  [{ scale: Number.NaN }, "scale is NaN. Give a number above 0, up to 4."],
  [{ scale: 4 }, "The picture would have 651460096 pixels, more than 16000000. Give a smaller scale, or ask for SVG."],
  [
    { theme: { background: '"/><script>', foreground: "#000000", caret: "#000000", palette: [] } },
    'The theme is {"background":"\\"/><script>","foreground":"#000000","caret":"#000000","palette":. Give "dark", "light", or background, foreground, caret and a palette of 16 colours like #14161b.',
  ],
])("%j is refused for the largest screen", async (options, message) => {
  const largest = snapshotOf([[]], { size: { cols: 500, rows: 500 } });

  await expect(renderPng(largest, options)).rejects.toMatchObject({ code: "BAD_OPTION", message });
});
