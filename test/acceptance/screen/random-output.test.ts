/** Random output: the screen is the same whatever the borders of its chunks. */
import { describe, expect, test } from "vitest";
import { Guard } from "../../../src/screen/drawing/guard.ts";
import { HeadlessTerminal } from "../../../src/screen/drawing/headless-terminal.ts";
import { isLong } from "../../support/sessions.ts";

const SEEDS = isLong ? 300 : 100;

describe("random output", () => {
  const PARTS = [
    "\x1b",
    "[",
    "]",
    "P",
    "?",
    ";",
    ":",
    "0",
    "9",
    "2147483647",
    "\x07",
    "\x1b\\",
    "\n",
    "\r",
    "\b",
    "\t",
    "世",
    "e\u0301",
    "\u200d",
    "🎉",
    "\x9b",
    "\u009b",
    "\xc2",
    "x",
    "h",
    "l",
    "m",
    "r",
    "L",
    "M",
    "S",
    "T",
    "b",
    "J",
    "K",
    "H",
    "1049",
    "6",
    "7",
    "@",
    "P",
    "X",
    "c",
    "\x18",
    "\x0e",
    "\x0f",
    "(0",
    "#8",
    " q",
    "'}",
    "\x1b[",
    "\x1b[?",
    "A",
    "B",
    "C",
    "D",
  ];

  function randomBytes(seed: number): Buffer {
    let state = seed;
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const parts = Array.from({ length: 200 }, () =>
      next(10) === 0
        ? Buffer.of(next(256))
        : Buffer.from(PARTS[next(PARTS.length)] ?? "", next(8) === 0 ? "latin1" : "utf8"),
    );
    return Buffer.concat(parts);
  }

  async function drawn(bytes: Buffer, pieceBytes: number) {
    const size = { cols: 17, rows: 6 };
    const guard = new Guard(size);
    const terminal = new HeadlessTerminal({ size, scrollback: 20 });
    for (let at = 0; at < bytes.length; at += pieceBytes)
      await terminal.write(guard.push(bytes.subarray(at, at + pieceBytes)));
    const rows = Array.from({ length: size.rows }, (_, row) => ({
      line: terminal.line(row),
      cells: terminal.cells(row),
    }));
    const { caret, modes, isAlternate, lostBytes } = terminal;
    terminal.dispose();
    return { rows, caret, modes, isAlternate, lostBytes, title: guard.title };
  }

  test("draws the same whatever the borders of its chunks, and breaks nothing", async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const bytes = randomBytes(seed);
      const whole = await drawn(bytes, bytes.length);

      expect(whole.lostBytes, `seed ${seed}`).toBe(0);
      expect(await drawn(bytes, 1), `seed ${seed}`).toEqual(whole);
      expect(await drawn(bytes, 7), `seed ${seed}`).toEqual(whole);
    }
  });
});
