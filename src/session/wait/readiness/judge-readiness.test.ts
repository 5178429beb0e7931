import { expect, test } from "vitest";
import { quietNeededMs, type ReadinessFacts } from "./judge-readiness.ts";

const INFINITY = Number.POSITIVE_INFINITY;
const shown = { caret: "blank", isCaretHidden: false, isRedrawn: false, screen: "normal" } as const;
const FACTS: ReadinessFacts = {
  state: "key",
  certainty: "quiet",
  isClient: false,
  shown,
  typed: "line",
  isAnswered: true,
  hasPrompted: true,
  longestPauseMs: 5,
  firstPauseMs: 2,
  slowness: 1,
  isConcurrent: false,
  isAsking: false,
  isElsewhere: false,
  activity: "idle",
};

type Case = readonly [string, Partial<ReadinessFacts>, number];

const KEYS: readonly Case[] = [
  ["a REPL at its known prompt", { shown: { ...shown, caret: "learnt" } }, 0],
  ["a REPL that awaits: an empty line", {}, INFINITY],
  ["a REPL in bursts: an empty line after a pause", { longestPauseMs: 400 }, INFINITY],
  ["a new prompt", { shown: { ...shown, caret: "prompt" } }, 50],
  ["a new prompt after pauses of 200 ms", { shown: { ...shown, caret: "prompt" }, longestPauseMs: 200 }, 600],
  ["a known prompt before the echo", { shown: { ...shown, caret: "learnt" }, isAnswered: false }, 1_500],
  ["a key without an effect", { typed: "key", isAnswered: false }, 300],
  ["text that is being typed", { typed: "key", shown: { ...shown, caret: "editing" } }, 50],
  ["a line that is echoed, not answered", { shown: { ...shown, caret: "editing" } }, 1_500],
  ["a line of text", { shown: { ...shown, caret: "text" } }, 250],
  ["a line of text after a slow start", { shown: { ...shown, caret: "text" }, firstPauseMs: 900 }, 1_500],
  [
    "a spinner: a hidden caret and pauses of 100 ms",
    { shown: { ...shown, isCaretHidden: true }, longestPauseMs: 100 },
    300,
  ],
  [
    "an agent's input box below its answer",
    { shown: { ...shown, caret: "learnt", isRedrawn: true }, longestPauseMs: 120 },
    360,
  ],
  [
    "an agent that works in silence",
    { shown: { ...shown, caret: "learnt", isRedrawn: true }, activity: "busy" },
    5_000,
  ],
  ["a test runner whose children run", { shown: { ...shown, caret: "text" }, activity: "busy" }, INFINITY],
  ["a test runner with a new child", { shown: { ...shown, caret: "text" }, activity: "started" }, 1_500],
  ["a prompt beside work in the background", { shown: { ...shown, caret: "learnt" }, activity: "busy" }, 0],
  ["a banner before the first prompt", { typed: "nothing", hasPrompted: false }, 1_500],
  ["an editor that has not drawn", { typed: "nothing", shown: { ...shown, screen: "undrawn" } }, 1_500],
  [
    "an editor that works before it draws",
    { typed: "nothing", shown: { ...shown, screen: "undrawn" }, activity: "busy" },
    INFINITY,
  ],
  ["an editor that has drawn", { typed: "key", shown: { ...shown, screen: "drawn" } }, 50],
  [
    "an editor that waits for an answer of its terminal",
    { shown: { ...shown, screen: "drawn" }, isAsking: true },
    2_000,
  ],
  ["an editor with threads, after Enter", { shown: { ...shown, screen: "drawn" }, isConcurrent: true }, 250],
  [
    "an agent that takes long to start, after Enter",
    { shown: { ...shown, screen: "drawn" }, isConcurrent: true, firstPauseMs: 300 },
    900,
  ],
  [
    "an editor with threads, after a key",
    { typed: "key", shown: { ...shown, screen: "drawn" }, isConcurrent: true },
    50,
  ],
  ["a monitor that draws once a second", { shown: { ...shown, screen: "drawn" }, longestPauseMs: 1_000 }, 400],
  ["an editor that works", { shown: { ...shown, screen: "drawn" }, activity: "busy" }, 5_000],
  [
    "an editor whose main thread sleeps in a command",
    { shown: { ...shown, screen: "drawn" }, isElsewhere: true },
    1_500,
  ],
  ["a line of text on an overloaded machine", { shown: { ...shown, caret: "text" }, slowness: 12 }, 500],
  [
    "an editor that works on an overloaded machine",
    { shown: { ...shown, screen: "drawn" }, activity: "busy", slowness: 12 },
    30_000,
  ],
];

test.each(KEYS)("keys: %s", (_, change, quietMs) => {
  expect(quietNeededMs({ ...FACTS, ...change })).toBe(quietMs);
});

const LINES: readonly Case[] = [
  ["a prompt", { shown: { ...shown, caret: "prompt" } }, 50],
  ["no prompt", {}, 250],
  ["no prompt, while another thread works", { activity: "busy" }, INFINITY],
  ["Ctrl+C to a program with several threads", { typed: "signal", shown: { ...shown, caret: "prompt" } }, 1_500],
  ["a client whose connection ends", { isClient: true }, INFINITY],
  ["a client that asks", { isClient: true, shown: { ...shown, caret: "prompt" } }, 50],
];

test.each(LINES)("lines: %s", (_, change, quietMs) => {
  expect(quietNeededMs({ ...FACTS, state: "line", ...change })).toBe(quietMs);
  expect(quietNeededMs({ ...FACTS, state: "password", ...change })).toBe(quietMs);
});

const FAR: readonly Case[] = [
  ["a known prompt, never at once", { shown: { ...shown, caret: "learnt" } }, 50],
  ["a known prompt over a way of 100 ms", { shown: { ...shown, caret: "learnt" }, firstPauseMs: 100 }, 300],
  ["a known prompt after a long command", { shown: { ...shown, caret: "learnt" }, longestPauseMs: 3_000 }, 50],
  ["a new prompt", { shown: { ...shown, caret: "prompt" } }, 250],
  ["an empty line", {}, INFINITY],
  ["a line of text", { shown: { ...shown, caret: "text" } }, INFINITY],
  ["nothing has come back", { isAnswered: false }, 1_500],
  ["an editor that has drawn", { shown: { ...shown, caret: "text", screen: "drawn" } }, 1_500],
  ["a key in an editor", { typed: "key", shown: { ...shown, caret: "text", screen: "drawn" } }, 250],
  ["a full-screen shell that runs a command", { shown: { ...shown, screen: "drawn" } }, INFINITY],
];

test.each(FAR)("far away: %s", (_, change, quietMs) => {
  expect(quietNeededMs({ ...FACTS, state: "unknown", ...change })).toBe(quietMs);
});

test("output of a container is given time to arrive, and longer if nothing has come back", () => {
  expect(quietNeededMs({ ...FACTS, certainty: "arrived" })).toBe(40);
  expect(quietNeededMs({ ...FACTS, certainty: "arrived", isAnswered: false })).toBe(300);
  expect(quietNeededMs({ ...FACTS, certainty: "arrived", slowness: 3 })).toBe(120);
});

test("what the kernel knows needs no silence", () => {
  expect(quietNeededMs({ ...FACTS, certainty: "once" })).toBe(0);
  expect(quietNeededMs({ ...FACTS, certainty: "twice" })).toBe(0);
});
