import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TerminalModeTracker } from "../../session/modes/terminal-mode-tracker.ts";
import { Guard } from "./guard.ts";
import { HeadlessTerminal } from "./headless-terminal.ts";

const SIZE = { cols: 80, rows: 24 };
const RECORDINGS = new URL("../../../test/corpus/screens/", import.meta.url);

/** What the library that draws says of the modes, and what the tracker of bytes does, after each chunk. */
async function compareAfterEach(chunks: readonly Uint8Array[]): Promise<void> {
  const guard = new Guard(SIZE);
  const terminal = new HeadlessTerminal({ size: SIZE, scrollback: 0 });
  const tracker = new TerminalModeTracker();
  for (const chunk of chunks) {
    tracker.push(chunk);
    await terminal.write(guard.push(chunk));

    expect({
      modes: tracker.keyModes,
      isAlternate: tracker.isAlternateScreen,
      origin: tracker.isOriginMode,
    }).toEqual({
      modes: terminal.modes,
      isAlternate: terminal.isAlternate,
      origin: terminal.drawingModes.origin,
    });
  }
  terminal.dispose();
}

test.each(readdirSync(RECORDINGS))("the tracker of modes agrees with the screen all through %s", async (name) => {
  const bytes = readFileSync(new URL(name, RECORDINGS));
  const chunks = Array.from({ length: Math.ceil(bytes.length / 97) }, (_, index) =>
    bytes.subarray(index * 97, index * 97 + 97),
  );

  await compareAfterEach(chunks);
});

test("the tracker of modes agrees with the screen for any sequences", async () => {
  const mode = fc.constantFrom(
    ...[1, 6, 6, 9, 25, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1048, 1049, 2004, 4242],
  );
  const sequence = fc.oneof(
    fc
      .tuple(fc.array(mode, { maxLength: 4 }), fc.constantFrom(";", ":"), fc.constantFrom("h", "l", "$p"))
      .map(([modes, separator, final]) => `\x1b[?${modes.join(separator)}${final}`),
    fc.constantFrom(
      "\x1b[>4;1m",
      "\x1b[>4;2m",
      "\x1b[>4m",
      "\x1b[>m",
      "\x1b[>4n",
      "\x1b[>n",
      "\x1b[>1;2m",
      "\x1b[>4:1m",
    ),
    fc.constantFrom("\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1b[1s", "\x1b[?s", "\x1b[>1u", "\x1b#8"),
    fc.constantFrom("\x1b[!p", "\x1bc", "\x1b=", "\x1b>", "\x1b(=", "\x1b[1!p", "\x1b[?1:4h", "\x1b[?;1h", "\x1b[?1"),
    fc.constantFrom("\x1b]0;t", "\x07", "\x1b\\", "\x1bPx", "\x18", "\n", "text", "\x1b", "[", "?", "h", "1", "c", "é"),
  );
  const output = fc.oneof(
    fc.array(sequence, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(""))),
    fc.uint8Array({ maxLength: 100 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(output, { maxLength: 3 }), async (chunks) => await compareAfterEach(chunks)),
    { numRuns: 1_000 },
  );
});
