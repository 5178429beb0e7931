import { describe, expect, test } from "vitest";
import { errorOf } from "../../test/support/sessions.ts";
import { LONG_MS, open } from "../../test/support/watching.ts";
import { decideScreenWait, nextScreenAskMs, type ScreenFacts } from "./decide-screen-wait.ts";
import { screenText } from "./screen-text.ts";
import { waitForScreen } from "./wait-for-screen.ts";

const FACTS: ScreenFacts = { nowMs: 1_000, startedMs: 500, changedMs: 600, match: undefined, exit: undefined };

describe("a wait for the screen", () => {
  test("ends when the pattern is to be seen, with its groups and the screen", async () => {
    const session = await open({
      command: "printf 'x\\033[2J\\033[3;5Hready on port 4321'; exec sleep 600",
      shell: "/bin/sh",
    });

    const yielded = await waitForScreen(session, { until: /port (?<port>\d+)/, deadlineMs: LONG_MS });

    expect(yielded).toMatchObject({ reason: "matched", text: "port 4321", groups: { port: "4321" } });
    expect(screenText(yielded.snapshot)).toBe("\n\n    ready on port 4321");
  });

  test("does not see what was overwritten", async () => {
    const session = await open({ command: "printf 'secret\\rpublic\\r\\n'; exec sleep 600", shell: "/bin/sh" });
    await waitForScreen(session, { until: "public", deadlineMs: LONG_MS });

    expect(await waitForScreen(session, { until: "secret", deadlineMs: 50 })).toMatchObject({ reason: "deadline" });
  });

  test("sees text over the end of a row", async () => {
    const session = await open({
      command: "printf 'one two three'; exec sleep 600",
      shell: "/bin/sh",
      size: { cols: 6, rows: 4 },
    });

    expect(await waitForScreen(session, { until: "two three", deadlineMs: LONG_MS })).toMatchObject({
      reason: "matched",
    });
  });

  test("ends when the program ends, with its last screen", async () => {
    const session = await open({ command: "sleep 0.05; printf bye; exit 3", shell: "/bin/sh" });

    const yielded = await waitForScreen(session, { until: "never", deadlineMs: LONG_MS });

    expect(yielded).toMatchObject({ reason: "exited", exit: { kind: "code", code: 3 } });
    expect(screenText(yielded.snapshot)).toBe("bye");
  });

  test("takes a match before the end of the program", async () => {
    const session = await open({ command: "printf bye", shell: "/bin/sh" });
    await session.ended;

    expect(await waitForScreen(session, { until: "bye" })).toMatchObject({ reason: "matched" });
  });

  test("ends when the screen stays as it is, whatever is printed meanwhile", async () => {
    const session = await open({
      command: "printf '\\033[?25l'; while :; do printf 'same\\r'; sleep 0.01; done",
      shell: "/bin/sh",
    });

    expect(await waitForScreen(session, { stableMs: 100, deadlineMs: LONG_MS })).toMatchObject({ reason: "stable" });
  });

  test("does not call a screen stable on which something moves", async () => {
    const session = await open({
      command: "while :; do i=$((i+1)); printf '%s\\r' $i; sleep 0.01; done",
      shell: "/bin/sh",
    });

    await waitForScreen(session, { until: /\d\d/, deadlineMs: LONG_MS });

    // On a busy machine it may stand still for a second or two.
    expect(await waitForScreen(session, { stableMs: 5_000, deadlineMs: 6_000 })).toMatchObject({ reason: "deadline" });
  });

  test("keeps its deadline in a flood", async () => {
    const session = await open({ program: "yes" });

    expect(await waitForScreen(session, { until: "never", deadlineMs: 200 })).toMatchObject({ reason: "deadline" });
  });

  test("is stopped by its signal, and the program is not", async () => {
    const session = await open({ program: "cat" });
    const stop = new AbortController();
    const waiting = waitForScreen(session, { until: "never", signal: stop.signal });

    stop.abort(new Error("enough"));

    await expect(waiting).rejects.toThrow("enough");
    expect(session.phase).toBe("running");
  });

  test("refuses a pattern and a time that make no sense", async () => {
    const session = await open({ program: "cat" });

    expect(await errorOf(waitForScreen(session, { until: "(?=x)" }))).toMatchObject({ code: "BAD_PATTERN" });
    expect(await errorOf(waitForScreen(session, { stableMs: 0 }))).toMatchObject({ code: "BAD_OPTION" });
  });
});

describe("the decision", () => {
  test("prefers a match to the exit, the exit to stability, and that to the deadline", () => {
    const match = { index: 0, text: "x" };
    const exit = { kind: "code", code: 0 } as const;
    const limits = { stableMs: 400, deadlineMs: 500 };

    expect(decideScreenWait({ ...FACTS, match, exit }, limits)).toEqual({
      reason: "matched",
      text: "x",
      groups: {},
      captures: [],
    });
    expect(decideScreenWait({ ...FACTS, exit }, limits)).toEqual({ reason: "exited", exit });
    expect(decideScreenWait(FACTS, limits)).toEqual({ reason: "stable", unchangedMs: 400 });
    expect(decideScreenWait({ ...FACTS, changedMs: 900 }, limits)).toEqual({ reason: "deadline" });
    expect(decideScreenWait({ ...FACTS, changedMs: 900 }, { stableMs: 400 })).toBeUndefined();
  });

  test("does not count what was stable before the wait", () => {
    expect(decideScreenWait({ ...FACTS, changedMs: 0 }, { stableMs: 600 })).toBeUndefined();
    expect(nextScreenAskMs({ ...FACTS, changedMs: 0 }, { stableMs: 600, deadlineMs: 700 })).toBe(1_100);
  });
});
