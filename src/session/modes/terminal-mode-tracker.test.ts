import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_MODES } from "../../base/terminal-modes.ts";
import { TerminalModeTracker } from "./terminal-mode-tracker.ts";

function after(...chunks: readonly string[]): TerminalModeTracker {
  const tracker = new TerminalModeTracker();
  for (const chunk of chunks) tracker.push(Buffer.from(chunk, "latin1"));
  return tracker;
}

test.each([
  ["\x1b[?1049h", true],
  ["\x1b[?47h", true],
  ["\x1b[?1047h", true],
  ["\x1b[?25;1049h", true],
  ["\x1b[?1049h\x1b[?1049l", false],
  ["\x1b[?1049h\x1b[?25l", true],
  ["\x1b[?1049h\x1bc", false],
  ["\x1b[?1049h\x1b[!p", true],
  ["\x1b[?10490h", false],
  ["\x1b[1049h", false],
  ["\x1b[?1049", false],
  ["\x1b]0;title\x1b[?1049h", true],
  ["\x1b[?10\r\n49h", true],
])("%j leaves the alternate screen active: %s", (output, isActive) => {
  expect(after(output).isAlternateScreen).toBe(isActive);
});

test.each([
  ["\x1b[?1h", { applicationCursor: true }],
  ["\x1b=", { applicationKeypad: true }],
  ["\x1b=\x1b>", {}],
  ["\x1b[?66h", { applicationKeypad: true }],
  ["\x1b[?2004h", { bracketedPaste: true }],
  ["\x1b[>4;2m", { modifyOtherKeys: 2 }],
  ["\x1b[>4;1m\x1b[>4m", {}],
  ["\x1b[>4;1m\x1b[>4n", {}],
  ["\x1b[>1;2m", {}],
  ["\x1b[?1000;1006h", { mouse: "press", mouseEncoding: "sgr" }],
  ["\x1b[?1002h\x1b[?1003h\x1b[?1002l", {}],
  ["\x1b[?1006;1015h\x1b[?1006l", { mouseEncoding: "urxvt" }],
  ["\x1b[?1004h", { focusEvents: true }],
  ["\x1b[?1;2004;1004;1003h\x1b=\x1b[>4;1m\x1b[!p", { mouse: "any", modifyOtherKeys: 1 }],
  ["\x1b[?1;2004;1004;1003;1006h\x1b=\x1b[>4;1m\x1bc", {}],
])("after %j keys need %j", (output, modes) => {
  expect(after(output).keyModes).toEqual({ ...DEFAULT_MODES, ...modes });
});

test("origin mode ends with a reset", () => {
  expect(after("\x1b[?6h").isOriginMode).toBe(true);
  expect(after("\x1b[?6h\x1b[?6l").isOriginMode).toBe(false);
  expect(after("\x1b[?6h\x1b[!p").isOriginMode).toBe(false);
});

test("origin mode is restored with the caret", () => {
  expect(after("\x1b[?6h\x1b7\x1b[?6l\x1b8").isOriginMode).toBe(true);
  expect(after("\x1b7\x1b[?6h\x1b8").isOriginMode).toBe(false);
  expect(after("\x1b[?6h\x1b[?1049h\x1b[?6l\x1b[?1049l").isOriginMode).toBe(true);
});

test("however output is cut into chunks, the modes are the same", () => {
  const piece = fc.oneof(
    fc.constantFrom("\x1b", "[", "?", ">", "!", "p", "c", "1049", "2004", "4", "h", "l", "m", ";", ":", "47", "text"),
    fc.constantFrom("\x1b[?1049h", "\x1b[?1049l", "1;".repeat(40), "\x1b]", "\x07", "\x18", "\x1b[38;5;1m", "\x1b="),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(200), { maxLength: 20 }), (pieces, cuts) => {
      const output = pieces.join("");
      const borders = [0, ...cuts.map((cut) => Math.min(cut, output.length)), output.length].sort((a, b) => a - b);
      const chunks = borders.slice(1).map((border, index) => output.slice(borders[index], border));
      const whole = after(output);
      const inChunks = after(...chunks);

      expect([inChunks.keyModes, inChunks.isAlternateScreen]).toEqual([whole.keyModes, whole.isAlternateScreen]);
    }),
    { numRuns: 2_000 },
  );
});
