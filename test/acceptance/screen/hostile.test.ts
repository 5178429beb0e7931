/** Output that is made to hang, flood or deceive whoever draws it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_SIZE } from "../../../src/base/limits.ts";
import { answerQueries } from "../../../src/screen/answer-queries.ts";
import { Drawing } from "../../../src/screen/drawing/drawing.ts";
import { Guard } from "../../../src/screen/drawing/guard.ts";
import { screenOf } from "../../../src/screen/screen.ts";
import { screenText } from "../../../src/screen/screen-text.ts";
import { takeSnapshot } from "../../../src/screen/take-snapshot.ts";
import type { Session } from "../../../src/session/session.ts";
import { longestTurnMs } from "../../support/host/turn-meter.ts";
import { errorOf, isLong, until } from "../../support/sessions.ts";
import { LONG_MS, open, temporaryDirectory } from "../../support/watching.ts";

const MOST_MS = 50;
const ATTEMPTS = 4;
const LARGEST = { cols: 500, rows: 500 };
/** More than is drawn in one turn, whatever it is. */
const BYTES = isLong ? 20_000 : 5_000;

/** A session that has printed exactly this, and lives on. */
async function printed(bytes: Uint8Array, size = LARGEST): Promise<Session> {
  const file = join(temporaryDirectory(), "hostile");
  writeFileSync(file, bytes);
  const session = await open({ command: `stty raw -echo; cat ${file}; exec sleep 600`, shell: "/bin/sh", size });
  await until(() => session.endCursor >= bytes.length, "all is printed", LONG_MS);
  return session;
}

function repeated(unit: string, bytes = BYTES): Buffer {
  return Buffer.from(unit.repeat(Math.ceil(bytes / unit.length)));
}

const after = (start: string, unit: string) => Buffer.concat([Buffer.from(start), repeated(unit)]);

const SLOW: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(
    [..."@ILMPSTXZb"].map((final) => [`CSI 2147483647 ${final}`, repeated(`A\x1b[2147483647${final}`)]),
  ),
  "columns inserted": repeated("\x1b[2147483647'}"),
  "scrolled sideways": repeated("\x1b[2147483647 @"),
  "clearing the screen": repeated("\x1b[2J\x1b[3J"),
  "alignment patterns": repeated("\x1b#8"),
  "full resets": repeated("\x1bc"),
  "changing screens": repeated("\x1b[?1049h\x1b[?1049l\x1b[?47h\x1b[?47l"),
  "many modes at once": repeated("\x1b[?1;3;5;6;7;47;1047;1048;1049;2004h\x1b[?1049;1047;47l"),
  "line feeds": repeated("\n"),
  "line feeds in a region": after("\x1b[2;499r\x1b[499H", "\n"),
  "reverse line feeds": after("\x1b[2;499r\x1b[2H", "\x1bM"),
  "inserted characters": after("\x1b[4h", "\x1b[Hx世"),
  "a colour list of 200 KB": Buffer.from(`\x1b[${"1;".repeat(100_000)}mx`),
  "digits of 200 KB": Buffer.from(`\x1b[${"9".repeat(200_000)}Lx`),
  "marks of 200 KB on one character": Buffer.from(`e${"\u0301".repeat(100_000)}`),
  "an endless title": Buffer.from(`\x1b]0;${"x".repeat(500_000)}`),
  "endless device control": Buffer.from(`\x1bPq${"x".repeat(500_000)}`),
  questions: repeated("\x1b[c\x1b[6n\x1bP$qr\x1b\\\x1b]52;c;?\x07\x1b[21t"),
};

describe("on the largest screen", () => {
  test.each(Object.keys(SLOW))("%s hold nobody up", async (name) => {
    const session = await printed(SLOW[name] ?? Buffer.alloc(0));

    const longestMs = await longestTurnMs(
      async () => {
        const drawing = new Drawing(session, { scrollback: 200 });
        await drawing.catchUp();
        drawing.terminal.dispose();
      },
      ATTEMPTS,
      MOST_MS,
    );

    expect(longestMs).toBeLessThan(MOST_MS);
  });

  test("output that is slow to draw is given up before long, and what is left out is counted", async () => {
    const slow = repeated("\x1b[2147483647S", 600_000);
    const session = await printed(Buffer.concat([slow, Buffer.from("\x1bcthe end")]));

    const snapshot = await screenOf(session).snapshot();

    expect(snapshot.missedBytes).toBeGreaterThan(0);
    expect(snapshot.cursor).toBe(session.endCursor);
  });

  test("a snapshot of a screen full of colours holds nobody up", async () => {
    const colours = Array.from({ length: 60_000 }, (_, i) => `\x1b[48;5;${i % 256}m${i % 10}`).join("");
    const session = await printed(Buffer.from(colours));
    const drawing = new Drawing(session, { scrollback: 0 });
    await drawing.catchUp();

    const longestMs = await longestTurnMs(async () => takeSnapshot(drawing, {}), ATTEMPTS, MOST_MS);

    expect(longestMs).toBeLessThan(MOST_MS);
  });
});

test("endless strings take no memory", async () => {
  const guard = new Guard({ cols: 80, rows: 24 });
  const piece = Buffer.alloc(1024 * 1024, "x");
  guard.push(Buffer.from("\x1b]0;"));
  const before = process.memoryUsage();

  for (let i = 0; i < 100; i++) guard.push(piece);

  const grown = process.memoryUsage().arrayBuffers - before.arrayBuffers;
  expect(grown).toBeLessThan(64 * 1024 * 1024);
});

test("a picture that has lost its end ends after 16 MiB", () => {
  const guard = new Guard({ cols: 80, rows: 24 });

  const chunks = guard.push(Buffer.from(`\x1bPq${"?".repeat(16 * 1024 * 1024)}and on`));

  expect(chunks.join("")).toMatch(/^\??and on$/);
});

test("any other string that has lost its end ends with its line", () => {
  const guard = new Guard({ cols: 80, rows: 24 });

  const chunks = guard.push(Buffer.from("\x1bPlost\nand on"));

  expect(chunks.join("")).toMatch(/\n?and on$/);
});

test.each([
  [100_000, 100_000],
  [0, 0],
  [-1, 10],
  [1.5, 10],
  [Number.NaN, 10],
  [501, 1],
])("a size of %s × %s is refused", async (cols, rows) => {
  const session = await open({ program: "cat" });

  expect(await errorOf((async () => session.resize({ cols, rows }))())).toMatchObject({ code: "BAD_OPTION" });
  expect((await screenOf(session).snapshot()).size).toEqual(DEFAULT_SIZE);
});

describe("a file full of questions", () => {
  const QUESTIONS =
    "\x1b[c\x1b[>c\x1b[5n\x1b[6n\x1b[?6n\x1bP$qr\x1b\\\x1b]52;c;?\x07\x1b[21t\x1b[?1$p\x1b[>q\x1b]11;?\x07\x1b]0;evil\x07\x1b[18t\x05";
  /** Shows what is typed, and nothing else. */
  const SHOW = 'stty raw -echo; printf %s "$1"; echo; exec cat -v';

  test("is not answered by default", async () => {
    const session = await open({ program: "sh", args: ["-c", SHOW, "sh", QUESTIONS] });
    await until(() => session.endCursor > QUESTIONS.length, "asked");

    await screenOf(session).snapshot();
    await session.write("typed");

    await until(async () => screenText(await screenOf(session).snapshot()).endsWith("typed"), "typed is shown");
    expect(screenText(await screenOf(session).snapshot()).replaceAll(/\s/g, "")).toBe("typed");
  });

  test("is answered on request, with fixed forms only", async () => {
    const session = await open({ program: "sh", args: ["-c", SHOW, "sh", QUESTIONS] });
    const answers: string[] = [];

    void answerQueries(session, { from: 0, onAnswer: (text) => answers.push(text) });

    await until(() => answers.length >= 5, "answered");
    expect(answers).toEqual([
      "\x1b[?1;2c",
      expect.stringMatching(/^\x1b\[>0;\d+;0c$/),
      "\x1b[0n",
      "\x1b[1;1R",
      "\x1b[?1;1R",
    ]);
  });

  test("is answered only a few times a second", async () => {
    const session = await open({ program: "sh", args: ["-c", SHOW, "sh", "\x1b[c".repeat(5_000)] });
    const answers: string[] = [];
    const startedMs = performance.now();

    void answerQueries(session, { from: 0, onAnswer: (text) => answers.push(text) });

    await until(() => session.endCursor >= 15_000, "asked");
    await until(() => answers.length >= 20, "answered");
    const seconds = Math.ceil((performance.now() - startedMs) / 1_000);
    expect(answers.length).toBeLessThanOrEqual(20 * (seconds + 1));
  });
});
