import { describe, expect, onTestFinished, test, vi } from "vitest";
import { showing, shows } from "../../test/support/screen/showing.ts";
import { outputHas, until } from "../../test/support/sessions.ts";
import { LONG_MS, open, temporaryDirectory } from "../../test/support/watching.ts";
import { deferred } from "../base/async/deferred.ts";
import { SCREEN_KEEP_MS } from "../base/limits.ts";
import { DEFAULT_MODES } from "../base/terminal-modes.ts";
import type { Session } from "../session/session.ts";
import { screenOf } from "./screen.ts";
import type { Snapshot } from "./snapshot.ts";

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
