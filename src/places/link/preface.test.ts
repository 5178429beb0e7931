import { expect, test } from "vitest";
import { Preface } from "./preface.ts";

test("lines of the bootstrap are found between others, however they arrive, and what follows is kept", () => {
  const bytes = Buffer.from("Welcome\nlimpet-x begin\nnoise\r\nlimpet-x facts {}\r\nlimpet-x connected\nhost\nbytes");
  for (const size of [1, 3, 1000]) {
    const preface = new Preface("limpet-x ");
    const lines = [];
    for (let at = 0; at < bytes.length; at += size) {
      preface.push(bytes.subarray(at, at + size));
      while (lines.length < 3) {
        const line = preface.take();
        if (!line) break;
        lines.push(line);
      }
    }

    expect(lines).toEqual([
      { word: "begin", rest: "" },
      { word: "facts", rest: "{}" },
      { word: "connected", rest: "" },
    ]);
    expect(preface.rest.toString()).toBe("host\nbytes");
    expect(preface.noise).toBe("Welcome\nnoise\n");
  }
});

test("noise is bounded", () => {
  const preface = new Preface("limpet-x ");
  for (let n = 0; n < 100; n += 1) {
    preface.push(Buffer.alloc(10_000, "a"));
    preface.take();
  }

  expect(preface.noise.length).toBeLessThanOrEqual(2_000);
  expect(preface.rest.length).toBeLessThanOrEqual(65_536);
});
