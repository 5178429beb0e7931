import { expect, test } from "vitest";
import { snapshotOf, styled } from "../../../test/support/screen/snapshots.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import { keysOf } from "../print/keys-of.ts";
import { FIRST_MODEL, press, selectedRow, shownRows, type TopModel, withSessions } from "./top-model.ts";
import { changesBetween, topView } from "./top-view.ts";

function session(id: number, given: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id,
    name: `n${id}`,
    place: null,
    exit: null,
    lost: false,
    journal: null,
    closed: null,
    isIdle: false,
    foreground: null,
    owner: null,
    sandbox: null,
    size: { cols: 80, rows: 24 },
    outputBytes: 0,
    unreadInputBytes: 0,
    asksTerminal: false,
    held: null,
    frozen: null,
    limits: null,
    waitingFor: null,
    program: `program ${id}`,
    command: null,
    commandMs: null,
    directory: null,
    listening: [],
    left: [],
    ageMs: 61_000,
    idleMs: 0,
    lastLine: "",
    recordings: [],
    ...given,
  };
}

const three = withSessions(FIRST_MODEL, [session(1), session(2), session(3)], 0);

function after(model: TopModel, ...keys: string[]): TopModel {
  return keys.reduce((now, key) => press(now, key).model, model);
}

test("arrows move the selection, and not beyond the ends", () => {
  expect(selectedRow(three)?.id).toBe(1);
  expect(selectedRow(after(three, "\x1b[B"))?.id).toBe(2);
  expect(selectedRow(after(three, "\x1b[B", "\x1b[B", "\x1b[B"))?.id).toBe(3);
  expect(selectedRow(after(three, "\x1b[B", "\x1b[A", "\x1b[A"))?.id).toBe(1);
});

test("the selection stays with its session when others come and go", () => {
  const second = after(three, "j");

  expect(selectedRow(withSessions(second, [session(2), session(3)], 1000))?.id).toBe(2);
  expect(selectedRow(withSessions(second, [session(1), session(3)], 1000))?.id).toBe(1);
  expect(selectedRow(withSessions(second, [], 1000))).toBeUndefined();
});

test("sessions with the same id on two hosts are two rows, and keys act on the selected one", () => {
  const both = [session(1, { place: "gpu-1", outputBytes: 5 }), session(1, { place: "gpu-2" })];
  const second = after(withSessions(FIRST_MODEL, both, 0), "j");

  const grown = withSessions(
    second,
    [both[0], session(1, { place: "gpu-2", outputBytes: 7 })] as SessionSummary[],
    1000,
  );

  expect(grown.rows.map(({ rate }) => rate)).toEqual([0, 7]);
  expect(press(grown, "\r").action).toEqual({ kind: "attach", key: "gpu-2/1", isReadOnly: false });
  expect(press(after(grown, "x"), "y").action).toEqual({ kind: "kill", key: "gpu-2/1" });
  expect(topView(grown, { cols: 120, rows: 8 }).join("\n")).toMatch(/gpu-1\/1 .*[\s\S]*gpu-2\/1 /);
});

test("a filter shows what matches, letter by letter, until it is taken back", () => {
  const filtered = after(three, "/", "N", "3", "x", "\x7f");

  expect(shownRows(filtered).map(({ id }) => id)).toEqual([3]);
  expect(after(filtered, "\r").mode).toBe("list");
  expect(shownRows(after(filtered, "\x1b"))).toHaveLength(3);
});

test("a session is killed only after a y", () => {
  expect(press(after(three, "j", "x"), "y").action).toEqual({ kind: "kill", key: 2 });
  expect(press(after(three, "j", "x"), "\r")).toEqual({
    model: { ...after(three, "j"), message: "Killed nothing." },
  });
  expect(press(FIRST_MODEL, "x")).toEqual({ model: FIRST_MODEL });
});

test("Enter attaches to what runs and says where to read what does not", () => {
  const ended = withSessions(FIRST_MODEL, [session(5, { exit: { kind: "code", code: 0 } })], 0);

  expect(press(three, "\r").action).toEqual({ kind: "attach", key: 1, isReadOnly: false });
  expect(press(three, "v").action).toEqual({ kind: "attach", key: 1, isReadOnly: true });
  expect(press(ended, "\r")).toMatchObject({ model: { message: expect.stringContaining("limpet logs") } });
  expect(press(FIRST_MODEL, "\r")).toEqual({ model: FIRST_MODEL });
});

test.each(["q", "\x1b", "\x03"])("%j quits", (key) => {
  expect(press(three, key).action).toEqual({ kind: "quit" });
});

test("a rate is what was printed since the last look", () => {
  const later = withSessions(
    withSessions(FIRST_MODEL, [session(1, { outputBytes: 1000 })], 0),
    [session(1, { outputBytes: 5000 }), session(2, { outputBytes: 9000 })],
    2000,
  );

  expect(later.rows.map(({ rate }) => rate)).toEqual([2000, 0]);
});

test("what a terminal sends at once is many keys", () => {
  expect(keysOf("ab\x1b[A\x1b[1;5Bä\x1bOA\x1b")).toEqual(["a", "b", "\x1b[A", "\x1b[1;5B", "ä", "\x1bOA", "\x1b"]);
});

const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/\x1b\[[\d;?]*[a-zA-Z]/g, "").trimEnd());

test("the table is as wide and high as the terminal", () => {
  const model = withSessions(
    FIRST_MODEL,
    [
      session(1, { waitingFor: "password", lastLine: "Password:" }),
      session(2, { held: { reason: null }, outputBytes: 123_456, lastLine: "\u001b[2Jnot this" }),
    ],
    0,
  );

  expect(plain(topView(model, { cols: 90, rows: 6 }))).toEqual([
    "limpet top: 2 running, 1 waiting for input",
    "ID  NAME  STATE    INPUT     AGE  OUTPUT  RATE  PROGRAM    LAST LINE",
    " 1  n1    running  password  61s      0B        program 1  Password:",
    " 2  n2    held               61s    121K        program 2  ⟨U+001B⟩[2Jnot this",
    "",
    "↑↓ select  Enter attach  h hold  x kill  p screen  / filter  e ended  ? help  q quit",
  ]);
});

test("what is missing on disk and what was lost with its host are marked", () => {
  const journal = { kind: "degraded", lostBytes: 4096, atCursor: 0, reason: "No space left" } as const;
  const model = withSessions(FIRST_MODEL, [session(1, { journal, outputBytes: 5000 }), session(2, { lost: true })], 0);

  expect(plain(topView(model, { cols: 90, rows: 5 }))).toEqual([
    "limpet top: 1 running, 0 waiting for input",
    "ID  NAME  STATE    INPUT  AGE  OUTPUT  RATE  PROGRAM    LAST LINE",
    " 1  n1    running         61s   4.9K!        program 1",
    " 2  n2    lost            61s      0B        program 2",
    "! 1 (n1): journal on disk incomplete: 4096 bytes missing (No space left)",
  ]);
});

test("the selected line is always among those that fit", () => {
  const many = withSessions(
    FIRST_MODEL,
    Array.from({ length: 50 }, (_, index) => session(index + 1)),
    0,
  );

  for (const selected of [1, 25, 50]) {
    const lines = topView({ ...many, selected }, { cols: 40, rows: 10 });
    expect(lines).toHaveLength(10);
    expect(lines.some((line) => line.startsWith(`\x1b[7m${String(selected).padStart(2)}  `))).toBe(true);
  }
});

test("h holds a session, and releases one that is held", () => {
  const held = withSessions(FIRST_MODEL, [session(1, { held: { reason: "mine" } })], 0);

  expect(press(three, "h").action).toEqual({ kind: "hold", key: 1 });
  expect(press(held, "h").action).toEqual({ kind: "release", key: 1 });
});

test("a narrow terminal has the columns that matter, and the rest below", () => {
  const model = withSessions(
    FIRST_MODEL,
    [
      session(7, {
        waitingFor: "password",
        owner: { caller: "codex", project: "/srv/app" },
        listening: [{ port: 3000, address: "127.0.0.1", pid: 5 }],
      }),
    ],
    0,
  );
  const preview = snapshotOf([styled("on its screen")]);

  expect(plain(topView({ ...model, showsPreview: true }, { cols: 40, rows: 9 }, preview))).toEqual([
    "limpet top: 1 running, 1 waiting for in…",
    "ID  NAME  STATE      PROGRAM",
    " 7  n7    password?  program 7",
    "",
    "",
    "7 (n7) · listens on 3000 · of codex · /…",
    "on its screen│",
    "",
    "Enter attach  x kill  ? help  q quit",
  ]);
  expect(plain(topView(model, { cols: 150, rows: 4 }))[2]).toMatch(/ codex +3000 +program 7$/);
});

test("? shows the keys until the next key", () => {
  const asked = after(three, "?");

  expect(plain(topView(asked, { cols: 60, rows: 14 }))).toContain("x y      kill it and all it started");
  expect(after(asked, "x").mode).toBe("list");
});

test.each([1, 2, 3])("a terminal of %i lines gets no more of them", (rows) => {
  expect(topView(three, { cols: 10, rows })).toHaveLength(rows);
});

test("only lines that have changed are drawn", () => {
  expect(changesBetween(["a", "b"], ["a", "b"])).toBe("");
  expect(changesBetween(["a", "b"], ["a", "c"])).toBe("\x1b[?2026h\x1b[2;1Hc\x1b[0m\x1b[K\x1b[?2026l");
});
