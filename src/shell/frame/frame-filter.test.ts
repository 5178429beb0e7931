import { describe, expect, test } from "vitest";
import type { OutputMode } from "./decide-output-mode.ts";
import { FrameFilter } from "./frame-filter.ts";
import type { Mark } from "./mark.ts";

const NONCE = "0123456789abcdef0123456789abcdef";
const PROMPT_NONCE = "fedcba9876543210fedcba9876543210";
const START = `\x1b]6973;s;${NONCE}\x07\r\n`;
const END = `\x1b]6973;e;${NONCE};3;r;him;/a\r\nb;c\x07;${NONCE}\x07\r\n`;
const PROMPT = `\x1b]6973;p;${PROMPT_NONCE}\x07`;
const WHOLE = `${START}out${END}${PROMPT}after`;

interface Options {
  readonly noise?: string;
  readonly modeAfter?: (mark: Mark) => OutputMode;
  readonly afterChunk?: (mark: Mark, push: (text: string) => void) => void;
}

/** What is passed on, noted in its place and reported after the chunk, in order. */
function filterOf({ noise, modeAfter = () => "command", afterChunk }: Options = {}): {
  readonly push: (text: string) => void;
  readonly finish: () => void;
  readonly settle: () => void;
  readonly expectEnd: (nonce: string) => void;
  readonly seen: unknown[];
} {
  const seen: unknown[] = [];
  let mode: OutputMode = "command";
  const filter: FrameFilter = new FrameFilter(
    { promptNonce: PROMPT_NONCE, noise },
    {
      mode: () => mode,
      noteMark: (mark) => {
        seen.push(mark.kind === "end" ? mark.end : mark.kind);
        mode = modeAfter(mark);
        return afterChunk && (() => afterChunk(mark, push));
      },
    },
  );
  filter.expect({ start: NONCE, end: NONCE, tail: NONCE });
  const pass = (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString("latin1");
    const last = seen.at(-1);
    if (typeof last === "string" && last.startsWith("=")) seen[seen.length - 1] = last + text;
    else seen.push(`=${text}`);
  };
  const push = (text: string) => filter.push(Buffer.from(text, "latin1"), pass);
  const expectEnd = (end: string) => filter.expect({ end });
  return { push, finish: () => filter.finish(pass), settle: () => filter.settle(), expectEnd, seen };
}

const EXPECTED = ["start", "=out", { status: 3, hasRun: true, flags: "him", cwd: "/a\nb;c\x07" }, "prompt", "=after"];

describe("a mark", () => {
  test("is removed and noted in its place in the output", () => {
    const { push, seen } = filterOf();

    push(WHOLE);

    expect(seen).toEqual(EXPECTED);
  });

  test("may be split anywhere", () => {
    for (let at = 1; at < WHOLE.length; at += 1) {
      const { push, seen } = filterOf();

      push(WHOLE.slice(0, at));
      push(WHOLE.slice(at));

      expect(seen).toEqual(EXPECTED);
    }
  });

  test("may arrive byte by byte", () => {
    const { push, seen } = filterOf();

    for (const byte of WHOLE) push(byte);

    expect(seen).toEqual(EXPECTED);
  });

  test("that never ends is output in the end", () => {
    const { push, seen } = filterOf();
    const text = `\x1b]6973;e;${NONCE};${"x".repeat(20_000)}`;

    push(text);

    expect(seen).toEqual([`=${text}`]);
  });

  test.each([
    ["another nonce", `a\x1b]6973;e;${PROMPT_NONCE};0;;/;${PROMPT_NONCE}\x07\nb`],
    ["another number", "a\x1b]697;s;\x07\x1b]69730;b"],
    ["another letter", `a\x1b]6973;x;${NONCE}\x07b`],
    ["no end", `a\x1b]6973;s;${NONCE}b`],
    ["only a beginning", "a\x1b]6973"],
    ["many beginnings", "\x1b]6973;".repeat(50)],
  ])("with %s is output", (_, text) => {
    const { push, finish, seen } = filterOf();

    for (const byte of text) push(byte);
    finish();

    expect(seen).toEqual([`=${text}`]);
  });
});

describe("an end mark", () => {
  test("behind the beginning of another is found, and that beginning is output", () => {
    const { push, seen } = filterOf();
    const incomplete = `\x1b]6973;e;${NONCE};0;r;him;/fake`;

    push(`${incomplete}${END}`);

    expect(seen).toEqual([`=${incomplete}`, EXPECTED[2]]);
  });

  test("of another form is noted as malformed", () => {
    const { push, seen } = filterOf();

    push(`\x1b]6973;e;${NONCE};zero;${NONCE}\x07\r\n`);

    expect(seen).toEqual([undefined]);
  });

  test("counts with the latest nonce only, a start mark with its own", () => {
    const { push, seen, expectEnd } = filterOf();

    expectEnd(PROMPT_NONCE);
    push(`${START}${END}`);

    expect(seen).toEqual(["start", `=${END}`]);
  });
});

describe("the line feed of a mark", () => {
  test.each([
    ["between two writes of the shell", `a${START.slice(0, -2)}job\r\n`, "\r\nb\r\n\r\nc", "=job\r\nb\r\n\r\nc"],
    ["in one chunk", `a${START.slice(0, -2)}job\r\n\r\nb`, "", "=job\r\nb"],
    ["in several pieces", `a${START.slice(0, -2)}jo`, "b\r\n\r\nb", "=job\r\nb"],
    ["without a carriage return", `a${START.slice(0, -2)}job\n`, "\nb", "=job\nb"],
  ])("is removed although a job prints %s", (_, first, then, expected) => {
    const { push, seen } = filterOf();

    push(first);
    push(then);

    expect(seen).toEqual(["=a", "start", expected]);
  });

  test("is not looked for any more once all output of the shell has arrived", () => {
    const { push, seen, settle } = filterOf();

    push(`${START.slice(0, -2)}job`);
    settle();
    push("\r\n\r\nb");

    expect(seen).toEqual(["start", "=job\r\n\r\nb"]);
  });
});

describe("what a mark leads to", () => {
  test("happens after the rest of its chunk was passed on", () => {
    const seenThen: unknown[][] = [];
    const { push, seen } = filterOf({ afterChunk: () => seenThen.push([...seen]) });

    push(WHOLE);

    expect(seenThen).toEqual([EXPECTED, EXPECTED, EXPECTED]);
  });

  test("can take more output, which comes behind the chunk and before what later marks lead to", () => {
    const led: string[] = [];
    const { push, seen } = filterOf({
      afterChunk: (mark, more) => {
        led.push(`${mark.kind} begins`);
        if (mark.kind === "prompt") more(`taken${START}`);
        led.push(`${mark.kind} ends`);
      },
    });

    push(`a${PROMPT}b${END}c\x1b]69`);

    const end = expect.objectContaining({ status: 3 });
    expect(seen).toEqual(["=a", "prompt", "=b", end, "=c\x1b]69taken", "start"]);
    expect(led).toEqual(["prompt begins", "prompt ends", "end begins", "end ends", "start begins", "start ends"]);
  });
});

describe("output", () => {
  test("behind a mark is treated as the listener says there, also within one chunk", () => {
    const modes = { start: "command", end: "drop", prompt: "between" } as const;
    const { push, seen } = filterOf({ modeAfter: ({ kind }) => modes[kind] });

    push(`${START}out${END}hook${PROMPT}after`);

    expect(seen).toEqual(EXPECTED);
  });

  test.each<[string, OutputMode, string]>([
    ["is free of the shell's notices between commands", "between", "=abc"],
    ["of a command is kept whole, though it looks like a notice", "command", "=a(bye)b(bye)c"],
  ])("%s", (_, mode, text) => {
    const { push, seen } = filterOf({ noise: "(bye)", modeAfter: () => mode });

    push(`${PROMPT}a(bye)b(bye)c`);

    expect(seen).toEqual(["prompt", text]);
  });
});
