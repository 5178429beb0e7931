import { expect, test } from "vitest";
import { GRID_CASES } from "../../../test/support/screen/grid-cases.ts";
import { CASE_SIZE } from "../../../test/support/screen/screen-case.ts";
import { Guard } from "./guard.ts";
import { HeadlessTerminal } from "./headless-terminal.ts";

async function drawn(input: string, pieceBytes: number): Promise<HeadlessTerminal> {
  const bytes = Buffer.from(input);
  const guard = new Guard(CASE_SIZE);
  const terminal = new HeadlessTerminal({ size: CASE_SIZE, scrollback: 50 });
  for (let at = 0; at < bytes.length; at += pieceBytes)
    await terminal.write(guard.push(bytes.subarray(at, at + pieceBytes)));
  return terminal;
}

test.each(GRID_CASES)("$name", async ({ input, lines, caret, looks = [] }) => {
  for (const pieceBytes of [Buffer.byteLength(input), 1]) {
    const terminal = await drawn(input, pieceBytes);
    const rows = Array.from({ length: CASE_SIZE.rows }, (_, row) => terminal.line(row));

    expect(rows.slice(0, rows.findLastIndex((row) => row !== "") + 1)).toEqual(lines);
    expect([terminal.caret.row, terminal.caret.col]).toEqual(caret);
    for (const { at, look } of looks) {
      const cell = terminal.cells(at[0])[at[1]];
      expect({ at, look: { ...cell, ...look } }).toEqual({ at, look: cell });
    }
    terminal.dispose();
  }
});
