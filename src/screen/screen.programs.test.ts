import { describe, expect, onTestFinished, test, vi } from "vitest";
import { outputHas, until } from "../../test/support/sessions.ts";
import { LONG_MS, open, temporaryDirectory } from "../../test/support/watching.ts";
import { deferred } from "../base/async/deferred.ts";
import { SCREEN_KEEP_MS } from "../base/limits.ts";
import { DEFAULT_MODES } from "../base/terminal-modes.ts";
import type { Session } from "../session/session.ts";
import { screenOf } from "./screen.ts";
import { screenText } from "./screen-text.ts";
import type { Snapshot } from "./snapshot.ts";
import { waitForScreen } from "./wait-for-screen.ts";

/** Output goes to the terminal as it is. */
async function showing(script: string, size = { cols: 20, rows: 4 }): Promise<Session> {
  return await open({ command: `stty raw -echo; ${script}`, shell: "/bin/sh", size });
}

async function shows(session: Session, text: string | RegExp): Promise<Snapshot> {
  const yielded = await waitForScreen(session, { until: text, deadlineMs: LONG_MS });
  expect(yielded, screenText(yielded.snapshot)).toMatchObject({ reason: "matched" });
  return yielded.snapshot;
}

describe("a snapshot", () => {
  test("is the whole screen as plain data", async () => {
    const session = await showing("printf '\\033]0;a title\\007one\\r\\n世界 two'; exec sleep 600");

    const snapshot = await shows(session, "two");

    expect(JSON.parse(JSON.stringify(snapshot))).toEqual({
      cursor: session.endCursor,
      size: { cols: 20, rows: 4 },
      lines: ["one", "世界 two", "", ""],
      wrapped: [false, false, false, false],
      caret: { row: 1, col: 8, at: 6, isVisible: true },
      title: "a title",
      isAlternate: false,
      scrollback: [],
      missedBytes: 0,
      marks: [],
    });
  });

  test("gives cells with colours and attributes on request", async () => {
    const session = await showing(
      "printf '\\033[1;4:3;38;5;196;48;2;1;2;3;58;5;9mA\\033[0;7;9;53m世\\033[0;8mh'; exec sleep 600",
      { cols: 6, rows: 1 },
    );
    await until(() => session.endCursor > 0, "printed");
    await until(async () => (await screenOf(session).snapshot()).caret.col === 4, "drawn");

    const { cells } = await screenOf(session).snapshot({ cells: true });

    const plain = { fg: null, bg: null, bold: false, dim: false, italic: false, underline: "none", blink: false };
    const rest = { inverse: false, invisible: false, strike: false, overline: false };
    expect(cells).toEqual([
      [
        {
          ...plain,
          ...rest,
          text: "A",
          width: 1,
          fg: 196,
          bg: { r: 1, g: 2, b: 3 },
          bold: true,
          underline: "curly",
          underlineColor: 9,
        },
        { ...plain, ...rest, text: "世", width: 2, inverse: true, strike: true, overline: true },
        { ...plain, ...rest, text: "", width: 0, inverse: true, strike: true, overline: true },
        { ...plain, ...rest, text: "h", width: 1, invisible: true },
        { ...plain, ...rest, text: "", width: 1 },
        { ...plain, ...rest, text: "", width: 1 },
      ],
    ]);
  });

  test("tells which rows are one line", async () => {
    const session = await showing("printf '%s' 0123456789012345678901234567890; exec sleep 600");

    const snapshot = await shows(session, "0123456789012345678901234567890");

    expect(snapshot).toMatchObject({
      lines: ["01234567890123456789", "01234567890", "", ""],
      wrapped: [true, false, false, false],
    });
  });

  test("has lines that scrolled out, as many as asked for", async () => {
    const session = await showing("seq 1 1000 | sed 's/$/\\r/'; exec sleep 600");
    await shows(session, /^1000$/m);

    const live = await screenOf(session).snapshot({ scrollback: 3 });
    const apart = await screenOf(session).snapshot({ scrollback: 900 });

    expect(live.scrollback).toEqual(["995", "996", "997"]);
    expect(apart.scrollback).toEqual(Array.from({ length: 900 }, (_, i) => String(98 + i)));
    expect(apart.lines).toEqual(live.lines);
  });

  test("of more scrollback than there may be is refused", async () => {
    const session = await showing("exec sleep 600");

    await expect(screenOf(session).snapshot({ scrollback: 5_001 })).rejects.toMatchObject({ code: "BAD_OPTION" });
  });

  test("of an ended session shows its last screen", async () => {
    const session = await showing("printf 'last words'");
    await session.ended;

    expect((await screenOf(session).snapshot()).lines).toEqual(["last words", "", "", ""]);
  });

  test("of a session without a terminal begins each line at the left", async () => {
    const session = await open({ program: "printf", args: ["a\\nb\\n"], tty: false, size: { cols: 20, rows: 4 } });
    await session.ended;

    expect((await screenOf(session).snapshot()).lines).toEqual(["a", "b", "", ""]);
  });
});

describe("a screen", () => {
  test("is one for each session, and takes nothing until somebody looks", async () => {
    const session = await showing("exec sleep 600");

    expect(screenOf(session)).toBe(screenOf(session));
    expect(screenOf(session).isLive).toBe(false);
    await screenOf(session).snapshot();
    expect(screenOf(session).isLive).toBe(true);
  });

  test("that was released is drawn anew, the same", async () => {
    const session = await showing("printf 'one\\033[?1049h\\033[2;3Htwo\\033[?2004h'; exec sleep 600");
    await shows(session, "two");
    const before = await screenOf(session).state();

    screenOf(session).release();

    expect(screenOf(session).isLive).toBe(false);
    expect(await screenOf(session).state()).toEqual(before);
  });

  test("follows a resize at its place in the output, also when it is drawn anew", async () => {
    const session = await open({ program: "cat", size: { cols: 10, rows: 4 } });
    await session.write("0123456789abc\n");
    await shows(session, /abc\n0123456789abc/);

    session.resize({ cols: 20, rows: 3 });
    await session.write("\x1b[2Jlong line of text 20\n");
    // What cat prints comes after what the terminal echoes, which has no escape character.
    await outputHas(session, "\x1b[2Jlong line of text 20\r\n");
    const live = await shows(session, /text 20/);
    screenOf(session).release();

    expect(live.size).toEqual({ cols: 20, rows: 3 });
    expect(await screenOf(session).snapshot()).toEqual(await screenOf(session).snapshot());
    expect((await screenOf(session).snapshot()).lines).toEqual(live.lines);
  });

  test("says how much it lacks when output was dropped before anybody looked", async () => {
    const session = await open({
      command: "stty raw -echo; printf '\\033[?2004h'; seq 1 60000 | sed 's/$/\\r/'; exec sleep 600",
      shell: "/bin/sh",
      size: { cols: 20, rows: 4 },
      journalBytes: 16_384,
    });
    await until(() => session.endCursor > 400_000, "all is printed", LONG_MS);
    await until(async () => (await screenOf(session).snapshot()).lines[2] === "60000", "the end is shown");

    const snapshot = await screenOf(session).snapshot();

    expect(snapshot.lines).toEqual(["59998", "59999", "60000", ""]);
    expect(snapshot.missedBytes).toBeGreaterThan(0);
    expect(session.keyModes).toMatchObject({ bracketedPaste: true });
  });

  test("that is looked at lacks nothing, however much is printed", async () => {
    const session = await open({
      command: "stty raw -echo; read go; seq 1 60000 | sed 's/$/\\r/'; exec sleep 600",
      shell: "/bin/sh",
      size: { cols: 20, rows: 4 },
      stateDirectory: temporaryDirectory(),
    });
    await screenOf(session).snapshot();

    await session.write("\n\r");

    expect(await shows(session, /^60000$/m)).toMatchObject({ missedBytes: 0 });
  });

  describe("on a clock that stands still", () => {
    /** Drawing takes turns of the loop, some of them by timers that are due at once. */
    async function look(session: Session): Promise<Snapshot> {
      let isTaken = false;
      const taken = screenOf(session)
        .snapshot()
        .finally(() => {
          isTaken = true;
        });
      while (!isTaken) await vi.advanceTimersByTimeAsync(0);
      return await taken;
    }

    async function seenOnce(): Promise<Session> {
      const session = await showing("printf one; exec sleep 600");
      await shows(session, "one");
      screenOf(session).release();
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
      onTestFinished(() => void vi.useRealTimers());
      await look(session);
      return session;
    }

    test("is given up when nobody has looked for long, and drawn anew at the next look", async () => {
      const session = await seenOnce();

      await vi.advanceTimersByTimeAsync(SCREEN_KEEP_MS - 1);
      expect(screenOf(session).isLive).toBe(true);
      await vi.advanceTimersByTimeAsync(1);
      expect(screenOf(session).isLive).toBe(false);

      expect((await look(session)).lines).toEqual(["one", "", "", ""]);
      expect(screenOf(session).isLive).toBe(true);
    });

    test("is kept for as long again after each look", async () => {
      const session = await seenOnce();

      await vi.advanceTimersByTimeAsync(SCREEN_KEEP_MS - 1);
      await look(session);
      await vi.advanceTimersByTimeAsync(SCREEN_KEEP_MS - 1);
      expect(screenOf(session).isLive).toBe(true);
      await vi.advanceTimersByTimeAsync(1);

      expect(screenOf(session).isLive).toBe(false);
    });

    test("is kept for as long as somebody waits for something on it", async () => {
      const session = await seenOnce();
      const waited = deferred<void>();

      const watching = screenOf(session).watch(() => waited.promise);
      await vi.advanceTimersByTimeAsync(5 * SCREEN_KEEP_MS);
      expect(screenOf(session).isLive).toBe(true);
      waited.resolve();
      await watching;
      await vi.advanceTimersByTimeAsync(SCREEN_KEEP_MS);

      expect(screenOf(session).isLive).toBe(false);
    });
  });

  test("gives the same to many who look at once", async () => {
    const session = await showing("seq 1 3000 | sed 's/$/\\r/'; exec sleep 600");
    await until(() => session.endCursor === 16_893, "all is printed");

    const all = await Promise.all(Array.from({ length: 20 }, () => screenOf(session).snapshot()));

    for (const one of all) expect(one).toEqual(all[0]);
  });
});

describe("modes", () => {
  test("are the default ones in a fresh terminal", async () => {
    const session = await showing("exec sleep 600");

    expect(session.keyModes).toEqual(DEFAULT_MODES);
  });

  test("are what the program has set", async () => {
    const session = await showing("printf '\\033[?1;2004;1002;1006;1004h\\033=\\033[>4;2mset'; exec sleep 600");
    await shows(session, "set");

    expect(session.keyModes).toEqual({
      applicationCursor: true,
      applicationKeypad: true,
      bracketedPaste: true,
      modifyOtherKeys: 2,
      mouse: "drag",
      mouseEncoding: "sgr",
      focusEvents: true,
    });
  });

  test("are the default ones again after a full reset", async () => {
    const session = await showing(
      "printf '\\033[?1;2004;1000;1015h\\033=\\033[>4;1m\\033[?25l\\033creset'; exec sleep 600",
    );
    const snapshot = await shows(session, "reset");

    expect(snapshot.caret.isVisible).toBe(true);
    expect(session.keyModes).toEqual(DEFAULT_MODES);
  });
});
