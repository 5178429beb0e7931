import { expect, test } from "vitest";
import { AlisStream } from "./alis-stream.ts";

/** The bytes as text: printable ones as they are. */
function shown(bytes: Uint8Array): string {
  return [...bytes].map((byte) => (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `<${byte}>`)).join("");
}

function stream() {
  const clock = { nowMs: 1_000 };
  return { clock, stream: new AlisStream(() => clock.nowMs) };
}

test("a stream begins with the size and the screen", () => {
  const { stream: live } = stream();

  expect(shown(live.init({ cols: 80, rows: 24 }, "Hello!"))).toBe("<1><0><0>P<24><0><6>Hello!");
});

test("output, sizes and the exit are numbered, and their times are those since the message before", () => {
  const { clock, stream: live } = stream();
  live.init({ cols: 80, rows: 24 }, "");

  clock.nowMs += 125;
  expect(shown(live.output("ls -la"))).toBe("o<1><200><208><7><6>ls<32>-la");
  clock.nowMs += 10;
  expect(shown(live.resize({ cols: 100, rows: 30 }))).toBe("r<2><144>Nd<30>");
  clock.nowMs += 500;
  expect(shown(live.exit(0))).toBe("x<3><160><194><30><0>");
  expect(shown(live.end())).toBe("<4><0>");
});

test("a stream that starts over goes on with its numbers and its time", () => {
  const { clock, stream: live } = stream();
  live.init({ cols: 80, rows: 24 }, "");
  live.output("a");
  clock.nowMs += 7_200_000;

  const bytes = live.init({ cols: 300, rows: 24 }, "é");

  expect(shown(bytes.subarray(0, 2))).toBe("<1><1>");
  expect(numberIn(bytes.subarray(2))).toBe(7_200_000_000n);
  expect(shown(bytes.subarray(-8))).toBe("<26><172><2><24><0><2><195><169>");
});

/** The first number of these bytes. */
function numberIn(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const [index, byte] of bytes.entries()) {
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return value;
  }
  throw new Error("The number does not end.");
}
