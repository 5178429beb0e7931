/** Control strings without a terminator: what they hide is bounded and stated, and what follows is text. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cleaner } from "./cleaner.ts";

function clean(...chunks: readonly string[]): string {
  const cleaner = new Cleaner();
  for (const chunk of chunks) cleaner.push(Buffer.from(chunk));
  cleaner.end();
  return cleaner.take().text;
}

const note = (bytes: number) => `[unfinished control string not shown here: ${bytes} bytes; raw shows it]\n`;
const INTRODUCERS = ["\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x1b]", "\x1bk", "\x1bPq", "\x1b_G", "\x1bP1;2q"];

describe.each(INTRODUCERS)("after %j", (introducer) => {
  test("the lines that follow are shown, and what it took of its own line is stated", () => {
    const text = clean(`hi\r\n${introducer}hidden words.\r\nseen\r\nand seen\r\n`);

    expect(text.startsWith("hi\n")).toBe(true);
    expect(text.endsWith("\nseen\nand seen\n")).toBe(true);
    expect(text).toMatch(/\[unfinished control string not shown here: \d+ bytes; raw shows it\]\n/);
  });

  test("a sequence that is not its terminator shows what it took", () => {
    expect(clean(`${introducer}TAKEN\x1b[0mseen\n`)).toMatch(/^\[unfinished .* \d+ bytes; raw shows it\]\nseen\n$/);
  });

  test("its terminator makes it complete", () => {
    expect(clean(`a${introducer}TAKEN\x1b\\b\n`)).toBe("ab\n");
  });

  test("it does not hide what another program prints", () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index} of many: ok?\n`);

    const text = clean(`${introducer}\n${lines.join("")}`);

    expect(text).toContain(lines.slice(1).join(""));
  });
});

test("an introducer without content hides nothing", () => {
  expect(clean("a\n\x1bP\r\nb\n")).toBe("a\n\nb\n");
  expect(clean("a\n\x1bP")).toBe("a\n");
});

test("what an open string hides is known at any time, and stated at the end", () => {
  const cleaner = new Cleaner();
  cleaner.push(Buffer.from("name? \x1bP[y/N] "));

  expect([cleaner.take().text, cleaner.hiddenBytes]).toEqual(["name? ", 6]);

  cleaner.push(Buffer.from("more"));
  cleaner.end();

  expect([cleaner.take().text, cleaner.hiddenBytes]).toEqual([`\n${note(10)}`, 0]);
});

test("a title, a clipboard, a link and an image leave no note", () => {
  const link = "\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x07";
  const clipboard = `\x1b]52;c;${"QUJD".repeat(25_000)}\x07`;
  const sixel = `\x1bP0;1;0q"1;1;8;8#0;2;0;0;0\r\n${"#0~~@@vv@@~~$-\n".repeat(2_000)}\x1b\\`;
  const kitty = `\x1b_Ga=T,f=100,m=1;${"QUJD".repeat(1_024)}\x1b\\`.repeat(20);
  const iterm = `\x1b]1337;File=inline=1:${"QUJD".repeat(500_000)}\x07`;

  expect(clean(`\x1b]0;title\x07${clipboard}${sixel}${kitty}${iterm}${link}\n`)).toBe("link\n");
});

test("8-bit introducers hide nothing", () => {
  expect(clean("a\u0090b\u009dc\u009bd\n")).toBe("a⟨U+0090⟩b⟨U+009D⟩c⟨U+009B⟩d\n");
  const cleaner = new Cleaner();
  cleaner.push(Buffer.from("a\x90b\x9dc\n", "latin1"));
  expect(cleaner.take().text).toBe("a\ufffdb\ufffdc\n");
});

const part = fc.oneof(
  fc.constantFrom(...INTRODUCERS, "\x1b\\", "\x07", "\n", "\r\n", "\x18", "\x1b[1m", "\x1b[2K\r", "\x1b[A"),
  fc.stringMatching(/^[a-z ]{1,12}$/),
);

test("however the output is split, the same is shown", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.array(fc.nat(200), { maxLength: 12 }), (parts, places) => {
      const output = parts.join("");
      const borders = [0, ...places.map((place) => Math.min(place, output.length)), output.length].sort(
        (a, b) => a - b,
      );
      const chunks = borders.slice(1).map((border, index) => output.slice(borders[index], border));

      expect(clean(...chunks)).toBe(clean(output));
    }),
    { numRuns: 5_000 },
  );
});

test("whatever begins before it, a line behind 16 MiB is shown", () => {
  for (const introducer of INTRODUCERS) {
    const cleaner = new Cleaner();
    cleaner.push(Buffer.from(introducer));
    const piece = Buffer.alloc(1024 * 1024, "A");
    for (let i = 0; i < 17; i++) {
      cleaner.push(piece);
      cleaner.drain();
    }
    cleaner.push(Buffer.from("\nERROR: build failed\n"));

    expect(cleaner.take().text.endsWith("\nERROR: build failed\n")).toBe(true);
  }
});
