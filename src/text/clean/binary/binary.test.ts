/** Binary data in output: recognised, named and counted; text around it and text with odd bytes stay text. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cleaner } from "../cleaner.ts";

/** The same in every run. */
function noise(bytes: number, seed = "a"): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 32) }, (_, index) =>
    createHash("sha256").update(`${seed}${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes);
}

function clean(...chunks: readonly (Buffer | string)[]): string {
  const cleaner = new Cleaner();
  for (const chunk of chunks) cleaner.push(Buffer.from(chunk as string));
  cleaner.end();
  return cleaner.take().text;
}

function beginningOf(path: string, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  const file = openSync(path, "r");
  const length = readSync(file, buffer, 0, bytes, 0);
  closeSync(file);
  return buffer.subarray(0, length);
}

/** As a terminal passes it on. */
const viaTerminal = (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1");

const note = (bytes: number, kind: string) => `[binary data not shown here: ${bytes} bytes, ${kind}; raw shows it]\n`;

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}: all went well\n`).join("");
const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"), deflateSync(noise(3_000))]);
const ZIP = Buffer.concat([Buffer.from("PK\x03\x04\x14\0\0\0\x08\0", "latin1"), noise(5_000)]);

describe("is one line with its size and kind", () => {
  test("20 kB of random bytes", () => {
    const random = noise(20_000);

    expect(clean(random)).toBe(
      note(20_000, `beginning ${random.subarray(0, 4).toString("hex").replace(/..\B/g, "$& ")}`),
    );
  });

  test.each([
    ["gzip", gzipSync(noise(8_000))],
    ["PNG", PNG],
    ["zip", ZIP],
    ["ELF", beginningOf(process.execPath, 40_000)],
    ["UTF-16 text", Buffer.from("\ufeffwide text\r\n".repeat(50), "utf16le")],
  ])("%s", (kind, data) => {
    expect(clean(data)).toBe(note(data.length, kind));
    expect(clean("before\r\n", viaTerminal(data))).toBe(`before\n${note(viaTerminal(data).length, kind)}`);
  });
});

describe("the text around it stays", () => {
  test.each([
    ["a short answer", "done\n"],
    ["a long text", LINES],
    ["a prompt", "\x1b[?2004h$ "],
  ])("%s behind it", (_, after) => {
    const shown = after.replace("\x1b[?2004h", "");

    expect(clean("first\n", gzipSync(noise(8_000)), after)).toMatch(
      new RegExp(
        `^first\\n\\[binary data not shown here: \\d+ bytes, gzip; raw shows it\\]\\n${shown.replaceAll("$", "\\$")}$`,
      ),
    );
  });

  test("text between two pieces of data", () => {
    const text = clean(gzipSync(noise(8_000)), `\n${LINES}`, PNG, "\nend\n");

    expect(text).toContain(LINES);
    expect(text.match(/binary data not shown/g)).toHaveLength(2);
    expect(text.endsWith("\nend\n")).toBe(true);
  });

  test("a reader that reads in between gets all of it, and the data as often as it read", () => {
    const cleaner = new Cleaner();
    const data = noise(9_000);
    let text = "";

    for (const chunk of [Buffer.from("a\n"), data.subarray(0, 4_000), data.subarray(4_000), Buffer.from("\nlast\n")]) {
      cleaner.push(chunk);
      text += cleaner.take().text;
    }

    expect(text).toMatch(/^a\n(?:\[binary data not shown here: \d+ bytes, .*\]\n.{0,12}\n?){1,3}last\n$/s);
  });
});

describe("text with odd bytes is text", () => {
  test.each([
    [
      "file names between NULs",
      "src/main.ts\0src/other.ts\0a\0README.md\0".repeat(30),
      "src/main.ts^@src/other.ts^@a^@README.md^@",
    ],
    ["a few controls", "a\x01b\x02c".repeat(4), "a^Ab^Bc".repeat(4)],
  ])("%s", (_, output, expected) => {
    expect(clean(output)).toContain(expected);
  });

  test("Latin-1, Cyrillic and Japanese in encodings other than UTF-8", () => {
    const latin = Buffer.from("Gr\xf6\xdfe ge\xe4ndert: pr\xfcfen\n".repeat(30), "latin1");
    const cyrillic = Buffer.from(
      Array.from({ length: 600 }, (_, index) => (index % 40 === 39 ? 0x0a : 0xc0 + (index % 60))),
    );
    const japanese = Buffer.from("\x83e\x83X\x83g\x82\xcc\x8c\x8b\x89\xca\n".repeat(40), "latin1");

    for (const output of [latin, cyrillic, japanese]) expect(clean(output)).not.toContain("binary");
    expect(clean(latin)).toBe("Gr\ufffd\ufffde ge\ufffdndert: pr\ufffdfen\n".repeat(30));
  });

  test("a handful of random bytes", () => {
    expect(clean(noise(20))).not.toContain("binary");
  });
});

test("however the output is split, the same is shown", () => {
  const piece = fc.oneof(
    fc
      .constantFrom("text ", "line\n", "\r\n", "é世🎉", "\x1b[1mbold\x1b[m", "\x1b]0;t\x07", "\x1bP", "PK", LINES)
      .map((text) => Buffer.from(text)),
    fc.tuple(fc.integer({ min: 1, max: 600 }), fc.constantFrom("a", "b", "c")).map(([size, seed]) => noise(size, seed)),
    fc.constantFrom("\0", "\x80", "\xe4\xb8", "\xf0\x9f\x8e", "\xff").map((text) => Buffer.from(text, "latin1")),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(4_000), { maxLength: 12 }), (pieces, places) => {
      const output = Buffer.concat(pieces);
      const borders = [0, ...places.map((place) => Math.min(place, output.length)), output.length].sort(
        (a, b) => a - b,
      );
      const chunks = borders.slice(1).map((border, index) => output.subarray(borders[index], border));

      expect(clean(...chunks)).toBe(clean(output));
    }),
    { numRuns: 2_000 },
  );
});

test("data of any length needs little time and memory", () => {
  const cleaner = new Cleaner();
  const data = noise(1024 * 1024);
  let text = "";

  for (let i = 0; i < 32; i++) {
    cleaner.push(data);
    text += cleaner.drain().text;
  }
  cleaner.end();

  expect(text + cleaner.take().text).toMatch(/^\[binary data not shown here: 33554432 bytes, beginning .*\]\n$/);
});
