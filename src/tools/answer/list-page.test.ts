import { expect, test } from "vitest";
import { summary } from "../../../test/support/web/summaries.ts";
import { MAX_LIST_TOKENS, MAX_LISTED_SESSIONS } from "../../base/limits.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import { describeListed } from "./describe-listed.ts";
import { listPage, moreLines } from "./list-page.ts";

const CODE_0 = { kind: "code", code: 0 } as const;
const LEFT = [{ pid: 7, name: "sleep" }];

/** One of ten waits for a line, one is idle, one has ended and the others run. */
function fleet(size: number, given: Partial<SessionSummary> = {}): readonly SessionSummary[] {
  const states: readonly Partial<SessionSummary>[] = [{ waitingFor: "line" }, { isIdle: true }, { exit: CODE_0 }];
  return Array.from({ length: size }, (_, index) =>
    summary({ id: index, place: `gpu-${index % 20}`, ...states[index % 10], ...given }),
  );
}

function pageOf(sessions: readonly SessionSummary[], from = 0) {
  return listPage(sessions, { from, describe: describeListed });
}

test("of ten thousand sessions a page names a hundred, and counts the others by state", () => {
  const page = pageOf(fleet(10_000));

  expect(page.lines).toHaveLength(MAX_LISTED_SESSIONS);
  expect(page).toMatchObject({
    total: 10_000,
    next: 100,
    more: { "waiting for input": 900, running: 7_000, idle: 1_000, ended: 1_000, lost: 0 },
  });
  expect(moreLines(page)).toEqual([
    "9900 more (900 waiting for input, 7000 running, 1000 idle, 1000 ended): " +
      'continue with from=100, or pass grep="REGEX" to list only lines that match',
  ]);
});

test("a page of long lines stays within its tokens", () => {
  const { lines, next } = pageOf(fleet(10_000, { program: "世".repeat(500), lastLine: "\u202e".repeat(80) }));

  expect(Buffer.byteLength(lines.join("\n"))).toBeLessThanOrEqual(MAX_LIST_TOKENS * 4);
  expect(lines.length).toBeGreaterThan(10);
  expect(next).toBe(lines.length);
});

test("page after page, every session is listed once", () => {
  const sessions = fleet(1_234, { program: "x".repeat(150) });
  const ids: number[] = [];
  let next: number | null = 0;

  while (next !== null) {
    const page = pageOf(sessions, next);
    ids.push(...page.sessions.map(({ id }) => id));
    ({ next } = page);
  }

  expect(ids.toSorted((one, other) => one - other)).toEqual(sessions.map(({ id }) => id));
});

test("the own project comes first, then what waits, runs, left processes, is idle, is lost and has ended", () => {
  const sessions = [
    summary({ id: 1, waitingFor: "password", isOwnProject: false }),
    summary({ id: 2, exit: CODE_0, isOwnProject: true }),
    summary({ id: 3, lost: true, isOwnProject: true }),
    summary({ id: 4, isIdle: true, isOwnProject: true }),
    summary({ id: 5, exit: CODE_0, left: LEFT, isOwnProject: true }),
    summary({ id: 6, waitingFor: "unknown", isOwnProject: true }),
    summary({ id: 7, waitingFor: "key", isOwnProject: true }),
    summary({ id: 8 }),
  ];

  expect(pageOf(sessions).sessions.map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1, 8]);
});

test("of the same state, sessions are listed place by place, this machine and the latest first", () => {
  const sessions = [
    summary({ id: 1, place: "gpu-1" }),
    summary({ id: 3, place: "gpu-1" }),
    summary({ id: 2 }),
    summary({ id: 5 }),
    summary({ id: 9, place: "build" }),
  ];

  expect(pageOf(sessions).lines.map((line) => line.split(":")[0])).toEqual(["5", "2", "build/9", "gpu-1/3", "gpu-1/1"]);
});

test("only lines that match are listed and counted", () => {
  const page = listPage(fleet(10_000), {
    from: 0,
    describe: describeListed,
    isWanted: (line) => /^gpu-7\//.test(line),
  });

  expect(page.sessions.every(({ place }) => place === "gpu-7")).toBe(true);
  expect(page).toMatchObject({ total: 500, next: 100, more: { running: 400 } });
});

test("a line that is longer than a page is a page", () => {
  const endless = fleet(2, { name: "n".repeat(MAX_LIST_TOKENS * 5) });

  expect(pageOf(endless)).toMatchObject({ lines: { length: 1 }, next: 1 });
});

test("a last page says nothing about more", () => {
  expect(moreLines(pageOf(fleet(100)))).toEqual([]);
});

test("many ports and many processes that were left are counted in a line", () => {
  const listening = Array.from({ length: 500 }, (_, port) => ({ address: "127.0.0.1", port, pid: 1 }));
  const left = Array.from({ length: 500 }, (_, pid) => ({ pid, name: `worker-${pid}` }));

  const line = describeListed(summary({ exit: CODE_0, listening: listening as never, left }));

  expect(line).toContain("worker-8, worker-9 and 490 more, listening on 127.0.0.1 port 0, 127.0.0.1 port 1, ");
  expect(line).toContain("127.0.0.1 port 9 and 490 more, ");
});
