import { expect, test } from "vitest";
import { summary } from "../../../../test/support/web/summaries.ts";
import { Board, type Seen } from "./board.ts";
import { cardOf } from "./card-of.ts";

const NOTHING: Seen = { sessions: [], approvals: [], silent: [] };

function seen(board: Board, sessions: Seen["sessions"], rest: Partial<Seen> = {}): number {
  board.see({ ...NOTHING, sessions, ...rest });
  return board.version;
}

test("a page without a version gets everything", () => {
  const board = new Board();
  seen(board, [summary({ id: 1 }), summary({ id: 2 })]);

  expect(board.since(undefined, null)).toEqual([
    { event: "host", data: { isUp: true, problem: null } },
    { event: "approvals", data: [] },
    { event: "silent", data: [] },
    {
      event: "sessions",
      data: { isAll: true, cards: [summary({ id: 1 }), summary({ id: 2 })].map((each) => cardOf(each, [])), gone: [] },
    },
  ]);
});

test("then only what has changed, and what is gone", () => {
  const board = new Board();
  const version = seen(board, [summary({ id: 1 }), summary({ id: 2 }), summary({ id: 3 })]);
  const changed = summary({ id: 2, outputBytes: 10 });
  seen(board, [summary({ id: 1, ageMs: 5_000, idleMs: 3 }), changed]);

  expect(board.since(version, null)).toEqual([
    { event: "sessions", data: { isAll: false, cards: [cardOf(changed, [])], gone: ["3"] } },
  ]);
});

test("time that passes is not a change", () => {
  const board = new Board();
  const version = seen(board, [summary({ command: "make", commandMs: 10 })]);
  let announced = 0;
  void board.changes.next().then(() => announced++);

  expect(seen(board, [summary({ command: "make", commandMs: 20, ageMs: 10, idleMs: 10 })])).toBe(version);
  expect(board.since(version, null)).toEqual([]);
});

test("a session that came back is not gone", () => {
  const board = new Board();
  const version = seen(board, [summary({ id: 7 })]);
  seen(board, []);
  seen(board, [summary({ id: 7 })]);

  expect(board.since(version, null)).toMatchObject([{ data: { isAll: false, cards: [{ key: "7" }], gone: [] } }]);
});

test("a version that is too old, or not ours yet, gets everything", () => {
  const board = new Board();
  const version = seen(board, [summary({ id: 1 })]);
  for (let id = 2; id < 1_200; id += 1) seen(board, [summary({ id })]);

  for (const given of [version, board.version + 1]) {
    expect(board.since(given, null).at(-1)).toMatchObject({ data: { isAll: true, gone: [] } });
  }
});

test("a page of one session sees only that one, and no approvals", () => {
  const board = new Board();
  seen(board, [summary({ id: 1 }), summary({ id: 2, place: "build" })]);

  expect(board.since(undefined, "build/2")).toMatchObject([
    { event: "host" },
    { event: "sessions", data: { cards: [{ key: "build/2" }] } },
  ]);
});

test("a host that is gone is told, and that it is back", () => {
  const board = new Board();
  const version = seen(board, []);
  board.noteHost({ isUp: false, problem: "gone" });
  const down = board.version;

  expect(board.since(version, null)).toEqual([{ event: "host", data: { isUp: false, problem: "gone" } }]);
  seen(board, []);
  expect(board.since(down, null)).toEqual([{ event: "host", data: { isUp: true, problem: null } }]);
});
