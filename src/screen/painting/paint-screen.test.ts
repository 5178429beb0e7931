import { expect, test } from "vitest";
import { Guard } from "../drawing/guard.ts";
import { HeadlessTerminal } from "../drawing/headless-terminal.ts";
import type { Snapshot } from "../snapshot.ts";
import { takeSnapshot } from "../take-snapshot.ts";
import { paintScreen } from "./paint-screen.ts";

const SIZE = { cols: 12, rows: 5 };

async function shown(...outputs: readonly string[]) {
  return await shownWith(0, ...outputs);
}

/** With so many lines above the screen. */
async function shownWith(scrollback: number, ...outputs: readonly string[]) {
  const terminal = new HeadlessTerminal({ size: SIZE, scrollback });
  const guard = new Guard(SIZE);
  for (const output of outputs) await terminal.write(guard.push(Buffer.from(output)));
  const snapshot = takeSnapshot({ terminal, cursor: 0, title: "", missedBytes: 0 }, { cells: true, scrollback });
  const modes = { ...terminal.modes, ...terminal.drawingModes };
  terminal.dispose();
  return { snapshot, modes };
}

/** What a person sees: a blank that was written looks like an empty cell, and where rows wrap is not painted. */
function seen({ wrapped: _wrapped, cells = [], ...rest }: Snapshot) {
  return { ...rest, cells: cells.map((row) => row.map((cell) => (cell.text === " " ? { ...cell, text: "" } : cell))) };
}

test.each([
  ["text", "one\r\ntwo", " and more\r\nthree"],
  ["a colour that goes on", "\x1b[1;31mred", " still red\x1b[0m plain"],
  ["an exact colour and a style", "\x1b[38;2;1;2;3;4:3;7m", "styled"],
  ["hidden text that goes on", "\x1b[8m", "hidden\x1b[28mshown"],
  ["a full row", "abcdefghijkl", "m"],
  ["a full row that ends with a wide character", "abcdefghij世", "m"],
  ["a region", "1\r\n2\r\n3\r\n4\x1b[2;4r\x1b[4;1H", "x\r\ny\r\nz"],
  ["origin mode", "\x1b[2;4r\x1b[?6h\x1b[2;2H", "x\x1b[1;1Hy"],
  ["insert mode", "abc\x1b[4h\x1b[1;1H", "x"],
  ["no wrapping", "\x1b[?7labcdefghijkl", "mno"],
  ["the alternate screen", "below\x1b[?1049hon top", "\x1b[2;1Hmore"],
])("a terminal goes on from a painted screen as from the output: %s", async (_what, before, after) => {
  const painted = paintScreen(await shown(before));

  expect(seen((await shown(painted, after)).snapshot)).toEqual(seen((await shown(before, after)).snapshot));
  expect((await shown(painted)).modes).toEqual((await shown(before)).modes);
});

test.each([0, 1, 4, 5, 6, 20])("%i lines above the screen are painted above it, once and in order", async (count) => {
  const rows = Array.from({ length: SIZE.rows + count }, (_, row) =>
    row % 3 === 0 ? `row ${row} is full`.slice(0, 12) : `${row}`,
  );
  const before = rows.join("\r\n");
  const { snapshot, modes } = await shownWith(50, before);

  const after = (await shownWith(50, paintScreen({ snapshot, modes }), "\r\nnext")).snapshot;

  expect(snapshot.scrollback).toHaveLength(count);
  expect(seen(after)).toEqual(seen((await shownWith(50, before, "\r\nnext")).snapshot));
});
