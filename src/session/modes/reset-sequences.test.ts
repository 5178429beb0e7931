import { expect, test } from "vitest";
import { resetSequences } from "./reset-sequences.ts";
import { TerminalModeTracker } from "./terminal-mode-tracker.ts";

const SET = [
  "\x1b[?1049h",
  "\x1b[?47h",
  "\x1b[?1h",
  "\x1b=",
  "\x1b[?2004h",
  "\x1b[>4;2m",
  "\x1b[?9h",
  "\x1b[?1000h",
  "\x1b[?1002h",
  "\x1b[?1003h",
  "\x1b[?1005h",
  "\x1b[?1006h",
  "\x1b[?1015h",
  "\x1b[?1004h",
  "\x1b[?6h",
  "\x1b[?25l",
];

function trackerAfter(text: string): TerminalModeTracker {
  const tracker = new TerminalModeTracker();
  tracker.push(Buffer.from(text));
  return tracker;
}

test.each([...SET, SET.join("")])("a reset after %j leaves no mode set", (sequence) => {
  for (const reset of [resetSequences(trackerAfter(sequence)), trackerAfter(sequence).undo]) {
    const tracker = trackerAfter(sequence);
    expect(tracker.isChanged).toBe(true);

    tracker.push(Buffer.from(reset));

    expect(tracker.isChanged).toBe(false);
  }
});

test("on the main screen, only what is set is reset", () => {
  expect(trackerAfter("\x1b[?2004h").undo).toBe("\x1b[?2004l");
});

test("text, colours and a moved caret change no mode", () => {
  expect(trackerAfter("text\x1b[31m\x1b7\x1b[5;5H\x1b8").isChanged).toBe(false);
});
