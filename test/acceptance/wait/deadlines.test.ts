/** @own-process It blocks threads of Node's pool, and needs those that are left. */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Session } from "../../../src/session/session.ts";
import type { WaitOptions } from "../../../src/session/wait/wait-for.ts";
import { blockDisk } from "../../support/host/hung-disk.ts";
import { LONG_MS, open, temporaryDirectory, testProgram, waitForInput } from "../../support/watching.ts";

const DEADLINE_MS = 300;
/** The benchmark measures how soon after the deadline a wait returns. */
const LATER_MS = 1_800;
/** For a process that was not given the processor until both times were over: what is due first comes first. */
const TURNS = 100;

/** The wait returns before something else does that is due much later. */
async function expectInTime(session: Session, options: WaitOptions = {}): Promise<void> {
  const later = async () => {
    await sleep(LATER_MS);
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    return { reason: "late" };
  };

  const first = await Promise.race([session.wait({ deadlineMs: DEADLINE_MS, ...options }), later()]);

  expect(first.reason).toBe("deadline");
}

test("a program that floods delays no deadline", async () => {
  const session = await open({ command: "exec yes 'all work and no play makes a dull program'" });

  await expectInTime(session);
  await expectInTime(session, { until: /never printed/ });
});

test.each([
  ["nested repeats", /(?:a+b?)+(?:c+d?)+never/],
  ["many branches", new RegExp(Array.from({ length: 300 }, (_, index) => `play${index}`).join("|"))],
  ["a huge repeat", /(?:[a-z ]|[^q]){900}[0-9]/],
  ["repeats of repeats", /(?:[a-z\s]{0,30}){0,30}[0-9]/],
  ["counted repeats", /(?:all|work|and|no|play|[a-z ]){0,40}never/],
])("a pattern with %s delays no deadline in a flood", async (_, until) => {
  const session = await open({ command: "exec yes 'all work and no play makes a dull program'" });

  await expectInTime(session, { until });
});

test("a stopped program delays no deadline", async () => {
  const session = await open({ command: "kill -STOP $$" });

  await expectInTime(session);
});

test("the exit of a program is reported at once while another process holds the terminal, and output continues", async () => {
  const session = await open({ program: "bash", args: [testProgram("holds-terminal.sh")] });

  const yielded = await session.wait({ deadlineMs: LONG_MS });
  const before = session.endCursor;

  expect(yielded).toMatchObject({ reason: "exited", exit: { kind: "code", code: 5 } });
  await expect.poll(() => session.endCursor, { timeout: LONG_MS }).toBeGreaterThan(before);
});

test("a disk that hangs delays neither deadline nor match nor exit", async () => {
  const directory = temporaryDirectory();
  const session = await open({
    command: "echo hello; read -r; seq 40000; echo tulip; read -r; exit 6",
    journalBytes: 64 * 1024,
    stateDirectory: directory,
  });
  await waitForInput(session);
  const block = await blockDisk(directory);
  await session.write("\n");
  const tulip = await session.wait({ until: /tulip/, from: session.endCursor, onInput: false, deadlineMs: LONG_MS });

  expect(tulip.reason).toBe("matched");
  await expectInTime(session, { until: /line that only the disk could have/, from: 0, onInput: false });
  expect(await session.wait({ deadlineMs: LONG_MS })).toMatchObject({ reason: "input" });
  await session.write("\n");
  expect(await session.wait({ deadlineMs: LONG_MS })).toMatchObject({
    reason: "exited",
    exit: { kind: "code", code: 6 },
  });
  block.release();
});
