import { expect, test } from "vitest";
import { FrameReader } from "./frame-reader.ts";

const MASK = [1, 2, 3, 4];

/** As a client sends it. */
function frame(first: number, content: readonly number[] = [], length: number = content.length): Buffer {
  return Buffer.from([first, 0x80 | length, ...MASK, ...content.map((byte, index) => byte ^ (MASK[index % 4] ?? 0))]);
}

test("control frames are read, also byte by byte", () => {
  const bytes = Buffer.concat([frame(0x89, [104, 105]), frame(0x8a), frame(0x88)]);
  const reader = new FrameReader();

  const read = [...bytes].flatMap((byte) => reader.push(Buffer.of(byte)));

  expect(read).toEqual([{ kind: "ping", content: Buffer.from("hi") }, { kind: "pong" }, { kind: "close", code: 1000 }]);
});

test.each([
  ["a frame of 50 MB, before its content is there", Buffer.from([0x82, 0xff, 0, 0, 0, 0, 2, 250, 240, 128]), 1009],
  ["a frame of 200 bytes", Buffer.from([0x81, 0xfe, 0, 200]), 1009],
  ["text that is not UTF-8", frame(0x81, [0xff]), 1007],
  ["text", frame(0x81, [104]), 1008],
  ["binary data", frame(0x82, [0xff]), 1008],
  ["a part of a message", frame(0x00, [104]), 1008],
  ["a frame of an unknown type", frame(0x83), 1002],
  ["a frame with reserved bits", frame(0xc9), 1002],
  ["a control frame in parts", frame(0x09), 1002],
  ["a long control frame", Buffer.from([0x89, 0xfe, 0, 200]), 1002],
  ["a frame without a mask", Buffer.from([0x89, 0x00]), 1002],
])("%s closes the connection", (_, bytes, code) => {
  expect(new FrameReader().push(bytes)).toEqual([{ kind: "close", code }]);
});
