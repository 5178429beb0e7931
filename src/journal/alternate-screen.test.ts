import fc from "fast-check";
import { expect, test } from "vitest";
import { AlternateScreen } from "./alternate-screen.ts";

function isActiveAfter(...chunks: readonly string[]): boolean {
  const screen = new AlternateScreen();
  for (const chunk of chunks) screen.note(Buffer.from(chunk, "latin1"));
  return screen.isActive;
}

test.each([
  ["\x1b[?1049h", true],
  ["\x1b[?47h", true],
  ["\x1b[?1047h", true],
  ["\x1b[?25;1049h", true],
  ["\x1b[?1049h\x1b[?1049l", false],
  ["\x1b[?1049h\x1b[?25l", true],
  ["\x1b[?10490h", false],
  ["\x1b[1049h", false],
  ["\x1b[?1049", false],
])("%j leaves the alternate screen active: %s", (output, isActive) => {
  expect(isActiveAfter(output)).toBe(isActive);
});

test("the result does not depend on the chunks", () => {
  const piece = fc.constantFrom(
    "\x1b",
    "[",
    "?",
    "1049",
    "h",
    "l",
    ";",
    "47",
    "text",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "1;".repeat(40),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(200), { maxLength: 20 }), (pieces, cuts) => {
      const output = pieces.join("");
      const borders = [0, ...cuts.map((cut) => Math.min(cut, output.length)), output.length].sort((a, b) => a - b);
      const chunks = borders.slice(1).map((border, index) => output.slice(borders[index], border));

      expect(isActiveAfter(...chunks)).toBe(isActiveAfter(output));
    }),
    { numRuns: 2_000 },
  );
});
