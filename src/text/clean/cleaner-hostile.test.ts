import { describe, expect, test } from "vitest";
import { isLinear } from "../../../test/support/measure/thread-cpu-ms.ts";
import { Cleaner } from "./cleaner.ts";

const CHUNK = 64 * 1024;

function feed(cleaner: Cleaner, bytes: Buffer): number {
  let length = 0;
  for (let at = 0; at < bytes.length; at += CHUNK) {
    cleaner.push(bytes.subarray(at, at + CHUNK));
    if (cleaner.pendingBytes > 1_000_000) length += cleaner.take().text.length;
  }
  return length + cleaner.take().text.length;
}

describe("time grows with the input, not faster", () => {
  const rows = `${"w".repeat(1_000)}\n`.repeat(500);
  test.each([
    ["a title that never ends", "\x1b]0;", "abcdef"],
    ["a device string that never ends", "\x1bPq", "abc\n"],
    ["one list of colours", "\x1b[", "38;5;1;"],
    ["one number", "\x1b[", "9999999"],
    ["repeats and moves by huge numbers", "A", "\x1b[2147483647b\x1b[999999999C\x1b[999999999I\x1b[99999999T\x1b[9Z"],
    ["returns on a wide line", "w".repeat(1_000), "\rX"],
    ["inserts and deletes on a wide line", "w".repeat(1_000), "\r\x1b[@\x1b[P"],
    ["erases on a wide line", "w".repeat(1_000), "\x1b[1K"],
    ["saves and restores on a wide line", "w".repeat(1_000), "\x1b7\x1b8"],
    ["combining marks without end", "e", "\u0301"],
    ["invisible characters without end", "e", "\u200d\ufe0f"],
    ["jumps over a tall area", rows, "\x1b[499A\x1b[499B"],
    ["writes over a tall area", rows, "\x1b[499Ax\x1b[499Bx"],
    ["pages", "", "\x1b[H\x1b[2Jx\n"],
    ["absolute rows", "", "\x1b[99;99Hx"],
    ["status lines", "", "\x1b7\x1b[99;99Hx\x1b8"],
    ["in and out of the alternate screen", "", "\x1b[?1049hx\x1b[?1049l"],
    ["lone escapes", "", "\x1b"],
    ["halves of characters", "", "\xf0\x9f\x1b[m"],
  ])("%s", (_, start, unit) => {
    const base = Buffer.from(start, "latin1");
    const piece = (size: number) => Buffer.concat([base, Buffer.alloc(size, Buffer.from(unit))]);

    expect(isLinear((size) => feed(new Cleaner(), piece(size)), 32 * 1024)).toBe(true);
  });
});

describe("nothing is held that could grow without bound", () => {
  test("an unfinished line leaves as it comes", () => {
    const cleaner = new Cleaner();
    const piece = Buffer.alloc(CHUNK, "x");
    let total = 0;

    for (let i = 0; i < 512; i++) {
      cleaner.push(piece);
      const { text } = cleaner.take();
      expect(text.length).toBeLessThan(2 * CHUNK);
      total += text.length;
    }

    expect(total).toBe(512 * CHUNK);
  });

  test("a redraw area that only grows leaves at its top", () => {
    const cleaner = new Cleaner();

    for (let i = 0; i < 3_000; i++) cleaner.push(Buffer.from(`line ${i}\n\x1b[1A\x1b[1B`));

    expect(cleaner.pendingBytes).toBeGreaterThan(2_400 * 9);
    expect(cleaner.take().text.split("\n")).toHaveLength(3_001);
  });

  test("after 16 MiB an image without an end is text again", () => {
    const cleaner = new Cleaner();
    cleaner.push(Buffer.from("\x1bP"));
    for (let i = 0; i < 256; i++) cleaner.push(Buffer.alloc(CHUNK, "q"));

    cleaner.push(Buffer.from("seen\n"));

    expect(cleaner.take().text).toBe(
      "[unfinished control string not shown here: 16777216 bytes; raw shows it]\nseen\n",
    );
  });

  test("marks stay few", () => {
    const cleaner = new Cleaner();

    for (let i = 0; i < 50_000; i++) cleaner.push(Buffer.from(`${i}\n`));

    expect(cleaner.take().marks.length).toBeLessThanOrEqual(4_096);
  });
});

describe("characters split anywhere", () => {
  test("é, 🎉 and 世 come out whole from single bytes with a take after each", () => {
    const cleaner = new Cleaner();
    let text = "";

    for (const byte of Buffer.from("é🎉世".repeat(50))) {
      cleaner.push(Uint8Array.of(byte));
      text += cleaner.take().text;
    }

    expect(text).toBe("é🎉世".repeat(50));
    expect(cleaner.cursor).toBe(450);
  });
});
