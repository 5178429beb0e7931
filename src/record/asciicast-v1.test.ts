import { expect, test } from "vitest";
import { decodeV1 } from "./asciicast-v1.ts";

const RECORDING = {
  version: 1,
  width: 80,
  height: 24,
  duration: 1.515658,
  command: "/bin/zsh",
  title: "",
  env: { TERM: "xterm-256color", SHELL: "/bin/zsh" },
  stdout: [
    [0.248848, "\u001b[1;31mHello \u001b[32mWorld!\u001b[0m\n"],
    [1.001376, "I am \rThis is on the next line."],
  ],
};

test("version 1 has the times since the previous output", () => {
  expect(decodeV1(JSON.stringify(RECORDING, null, 2))).toEqual({
    header: { format: 1, size: { cols: 80, rows: 24 }, title: "", command: "/bin/zsh" },
    events: [
      { atMs: 249, kind: "output", text: "\u001b[1;31mHello \u001b[32mWorld!\u001b[0m\n" },
      { atMs: 1250, kind: "output", text: "I am \rThis is on the next line." },
    ],
  });
});

test("entries that are not output are skipped, and time does not run backwards", () => {
  const stdout = [[1, "a"], null, [1], ["1", "b"], [1, 2], [1e306, "late"], [-5, "c"], [1, "d"]];

  expect(decodeV1(JSON.stringify({ ...RECORDING, stdout }))?.events).toEqual([
    { atMs: 1000, kind: "output", text: "a" },
    { atMs: 1000, kind: "output", text: "c" },
    { atMs: 2000, kind: "output", text: "d" },
  ]);
});

test.each(["", "{", "[]", "null", '{"version":1}', '{"version":1,"width":80,"height":24}', '{"version":2}'])(
  "%j is not a recording of version 1",
  (text) => {
    expect(decodeV1(text)).toBeUndefined();
  },
);
