import { expect, test } from "vitest";
import { LONG_MS, open } from "../../../test/support/watching.ts";
import { openShell } from "../../shell/open-shell.ts";
import { internalsOf } from "../session-internals.ts";
import { waitOn, waitOnAny } from "./wait-on.ts";

test("a wait of one caller moves neither the position of another nor that of the session object", async () => {
  const session = await open({ command: "echo tulip; exec sleep 60" });
  const caller = { from: 0, finishesKnown: 0, until: "tulip", onInput: false, deadlineMs: LONG_MS };

  const first = await waitOn(session, caller);
  const any = await waitOnAny([session], { ...caller, from: () => 0, finishesKnown: () => 0 });
  const second = await waitOn(session, caller);
  const own = await session.wait({ until: "tulip", onInput: false, deadlineMs: LONG_MS });

  expect([first, any, second].map(({ result }) => result.reason)).toEqual(["matched", "matched", "matched"]);
  expect(own.reason).toBe("matched");
});

test("output between a write and the wait is found, and earlier output is not", async () => {
  const session = await open({ command: 'stty -echo; echo ready; while read -r line; do echo "got $line"; done' });
  await session.wait({ until: "ready", onInput: false, deadlineMs: LONG_MS });

  const reasons: string[] = [];
  for (const line of ["one", "two"]) {
    const { endCursor } = session;
    await session.write(`${line}\n`);
    await expect.poll(() => session.endCursor, { timeout: LONG_MS }).toBeGreaterThanOrEqual(endCursor + 9);
    reasons.push((await session.wait({ until: /got \w+/, onInput: false, deadlineMs: LONG_MS })).reason);
  }
  const again = await session.wait({ until: /got \w+/, onInput: false, deadlineMs: 50 });

  expect([...reasons, again.reason]).toEqual(["matched", "matched", "deadline"]);
});

test("each caller learns of a finished command once, and a watch does not affect the others", async () => {
  await using shell = await openShell({ shell: "bash", cwd: "/" });
  const { session } = shell;
  await shell.run("cat >/dev/null; cd /usr; (exit 4)");
  const watch = waitOn(session, { from: 0, finishesKnown: Number.POSITIVE_INFINITY, onInput: false });
  await shell.write("\x04");
  const caller = { from: 0, deadlineMs: LONG_MS };

  const one = await waitOn(session, { ...caller, finishesKnown: 0 });
  const two = await waitOn(session, { ...caller, finishesKnown: 0 });
  const own = await session.wait({ deadlineMs: LONG_MS });
  const again = await waitOn(session, { ...caller, finishesKnown: one.finishesKnown, deadlineMs: 0 });
  const ownAgain = await session.wait({ deadlineMs: 0 });
  await session.close();

  const finished = { reason: "finished", exitCode: 4, cwd: "/usr" };
  expect([one.result, two.result, own]).toMatchObject([finished, finished, finished]);
  expect([again.result.reason, ownAgain.reason, (await watch).result.reason]).toEqual([
    "deadline",
    "deadline",
    "exited",
  ]);
  expect([one.finishesKnown, again.finishesKnown, internalsOf(session).finishes.count]).toEqual([1, 1, 1]);
});

test("what a run has reported is not reported again by a wait on its session", async () => {
  await using shell = await openShell({ shell: "bash" });

  await shell.run("true");

  expect((await shell.session.wait({ deadlineMs: 0 })).reason).toBe("deadline");
});
