import { expect, test } from "vitest";
import { Guard } from "../drawing/guard.ts";
import { HeadlessTerminal } from "../drawing/headless-terminal.ts";
import { takeSnapshot } from "../take-snapshot.ts";
import { paintScreen } from "./paint-screen.ts";

const SIZE = { cols: 12, rows: 5 };

async function shown(...outputs: readonly string[]) {
  const terminal = new HeadlessTerminal({ size: SIZE, scrollback: 0 });
  const guard = new Guard(SIZE);
  for (const output of outputs) await terminal.write(guard.push(Buffer.from(output)));
  const snapshot = takeSnapshot({ terminal, cursor: 0, title: "", missedBytes: 0 }, { cells: true });
  const modes = { ...terminal.modes, ...terminal.drawingModes };
  terminal.dispose();
  const { wrapped: _wrapped, ...rest } = snapshot;
  return { snapshot: { ...snapshot, ...rest }, modes };
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
  const { wrapped: _one, ...continued } = (await shown(painted, after)).snapshot;
  const { wrapped: _other, ...expected } = (await shown(before, after)).snapshot;

  expect(continued).toEqual(expected);
  expect((await shown(painted)).modes).toEqual((await shown(before)).modes);
});
