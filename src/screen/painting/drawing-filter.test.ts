import { expect, test } from "vitest";
import { isLinear } from "../../../test/support/measure/thread-cpu-ms.ts";
import { HeadlessTerminal } from "../drawing/headless-terminal.ts";
import { DrawingFilter } from "./drawing-filter.ts";
import type { Passing } from "./drawing-rules.ts";

const SIZE = { cols: 20, rows: 5 };

function passed(output: string | Uint8Array, passing: Passing = "drawing"): string {
  return new DrawingFilter({ passing, size: () => SIZE }).push(Buffer.from(output));
}

/** Each asks the terminal, changes more than its screen, or is ignored by it. */
const HELD_BACK: readonly string[] = [
  "\x05",
  "\x00",
  "\x7f",
  "\u009b6n",
  "\x1b[c",
  "\x1b[0c",
  "\x1b[>c",
  "\x1b[=c",
  "\x1bZ",
  "\x1b[5n",
  "\x1b[6n",
  "\x1b[?6n",
  "\x1b[x",
  "\x1b[?2026$p",
  "\x1b[4$p",
  "\x1b[>0q",
  "\x1b[?u",
  "\x1b[?4m",
  "\x1b[1;1;1;1;5;5*y",
  '\x1b["v',
  "\x1b[18t",
  "\x1b[21;0t",
  "\x1b[22;2t",
  "\x1b[8;50;132t",
  "\x1bP$qm\x1b\\",
  "\x1bP+q544e\x1b\\",
  "\x1bP+q\x07\x1b\\",
  "\x1bPq#0;2;0;0;0~\x1b\\",
  "\x1b]0;title\x07",
  "\x1b]2;\x1b\\",
  "\x1b]4;1;?\x1b\\",
  "\x1b]4;1;#ff0000\x1b\\",
  "\x1b]8;;http://x\x1b\\",
  "\x1b]11;?\x07",
  "\x1b]52;c;Zm9v\x07",
  "\x1b]1337;File=inline=1:AAAA\x07",
  "\x1b_Ga=q;AAAA\x1b\\",
  "\x1b^private\x1b\\",
  "\x1bXsos\x1b\\",
  "\x1bktitle\x1b\\",
  "\x1b%@",
  "\x1b F",
  "\x1b G",
  '\x1b[61"p',
  "\x1b[2h",
  "\x1b[12l",
  "\x1b[?2031h",
  "\x1b[?2048h",
  "\x1b[?3h",
  "\x1b[?1s",
  "\x1b[?1r",
  "\x1b[5i",
  "\x1b[3J",
  "\x1b[1;2;3;4;5T",
  "\u202e",
  "\u2066",
];

test.each(HELD_BACK)("%j does not reach a person's terminal", (sequence) => {
  expect(passed(`a${sequence}b`)).toBe(`a${/^\u009b/.test(sequence) ? sequence.slice(1) : ""}b`);
  expect(passed(`a${sequence}b`, "terminal")).toBe(`a${/^\u009b/.test(sequence) ? sequence.slice(1) : ""}b`);
});

test.each([
  "\x07",
  "\x1b=",
  "\x1b>",
  "\x1b[?1h",
  "\x1b[?1000h",
  "\x1b[?1006h",
  "\x1b[?1004h",
  "\x1b[?2004h",
  "\x1b[>4;2m",
  "\x1b[>1u",
  "\x1b[<u",
])("%j reaches only a person who types", (sequence) => {
  expect(passed(`a${sequence}b`)).toBe("ab");
  expect(passed(`a${sequence}b`, "terminal")).toBe(`a${sequence}b`);
});

test.each([
  "grün ✓ 世界 👩‍💻\r\n\tx\b",
  "\x1b[31mred\x1b[0m",
  "\x1b[38:2::1:2:3;4:3mx",
  "\x1b[2J\x1b[5;20H",
  "\x1b[2;4r\x1b[?6h",
  "\x1b[?1049h\x1b[?25l",
  "\x1b(0lqk\x1b(B\x0e\x0f",
  "\x1b7\x1b8\x1bM\x1bD\x1bE",
  "\x1b#8",
  "\x1b[3 q",
  "\x1b[?2026h\x1b[?2026l",
])("%j passes as it is", (output) => {
  expect(passed(output)).toBe(output);
});

test("of several modes in one sequence, only those that draw pass", () => {
  expect(passed("\x1b[?25;1000;7;2004h")).toBe("\x1b[?25;7h");
  expect(passed("\x1b[?25;1000;7;2048h", "terminal")).toBe("\x1b[?25;1000;7h");
});

test("a number that would keep the terminal busy is bounded by its size", () => {
  expect(passed("x\x1b[2147483647b\x1b[99999L")).toBe("x\x1b[1000b\x1b[5L");
});

test("a full reset clears the screen, and leaves title, palette and saved lines", () => {
  const reset = passed("\x1bc");

  expect(reset).toContain("\x1b[H\x1b[2J");
  expect(reset).not.toContain("\x1bc");
});

test("bytes that are not UTF-8 become U+FFFD, which no terminal acts on", () => {
  expect(passed(Uint8Array.of(0x61, 0x9b, 0x63, 0xc3, 0x1b, 0x5b, 0x6d, 0xa9))).toBe("a\ufffdc\ufffd\x1b[m\ufffd");
});

test("what is asked in the middle of a sequence is held back with it", () => {
  expect(passed("\x1b[3\x05\x071m")).toBe("\x1b[31m");
  expect(passed("\x1b]52;c;Zm9v")).toBe("");
});

test("strings without an end are read once, however many there are", () => {
  const output = (count: number) => Buffer.from(`\x1b]${";?".repeat(count)}`);

  expect(isLinear((count) => passed(output(count)), 30_000)).toBe(true);
});

/** Numbers from a seed, so that a failure can be repeated. */
function* numbers(seed: number): Generator<number, never, undefined> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const PIECES: readonly string[] = [
  ...HELD_BACK,
  ..."\x1b\x1b\x1b[]P_^X?>;:0123456789$!'\" cnmhlpqrtuxyz\x07\x18\\",
  "text\r\n",
  "é世",
  "\x1b[6n",
  "\x1b[?1049h",
];

function randomOutput(seed: number): Buffer {
  const random = numbers(seed);
  const pick = () => PIECES[Math.floor(random.next().value * PIECES.length)] ?? "";
  return Buffer.from(Array.from({ length: 200 }, pick).join(""));
}

test("no output makes a terminal answer, and how it is cut into chunks does not matter", async () => {
  const replies: string[] = [];
  const terminal = new HeadlessTerminal({ size: SIZE, scrollback: 0, onReply: (text) => replies.push(text) });

  for (let seed = 1; seed <= 300; seed++) {
    const output = randomOutput(seed);
    const whole = passed(output, "terminal");
    const filter = new DrawingFilter({ passing: "terminal", size: () => SIZE });
    const byByte = Array.from(output, (byte) => filter.push(Uint8Array.of(byte))).join("");
    await terminal.write([whole]);

    expect({ seed, text: byByte }).toEqual({ seed, text: whole });
  }

  expect(replies).toEqual([]);
  terminal.dispose();
});

test("the same terminal answers what the filter holds back", async () => {
  const replies: string[] = [];
  const terminal = new HeadlessTerminal({ size: SIZE, scrollback: 0, onReply: (text) => replies.push(text) });

  await terminal.write(HELD_BACK);

  expect(replies).toContain("\x1b[?1;2c");
  expect(replies.length).toBeGreaterThan(5);
  terminal.dispose();
});
