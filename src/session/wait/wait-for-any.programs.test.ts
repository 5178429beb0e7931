import { expect, test } from "vitest";
import { LONG_MS, open, waitForInput } from "../../../test/support/watching.ts";
import { scriptedTransport } from "../../transport/scripted/scripted-transport.ts";
import type { Session } from "../session.ts";
import { waitForAll, waitForAny } from "./wait-for-any.ts";

test("the first of several sessions ends the wait, and the next wait reports the second", async () => {
  const sessions = await Promise.all(
    ["one", "two"].map((word) => open({ command: `echo ${word} ready; exec sleep 60` })),
  );
  await Promise.all(sessions.map((session) => session.wait({ until: /ready/, from: 0, deadlineMs: LONG_MS })));

  const first = await waitForAny(sessions, { until: /\w+ ready/, deadlineMs: LONG_MS });
  const second = await waitForAny(sessions, { until: /\w+ ready/, deadlineMs: LONG_MS });
  const third = await waitForAny(sessions, { until: /\w+ ready/, deadlineMs: 50 });

  const texts = [first, second].map(({ yielded }) => yielded.reason === "matched" && yielded.text).sort();
  expect(texts).toEqual(["one ready", "two ready"]);
  expect(third.yielded.reason).toBe("deadline");
});

test("waiting for all returns the reason of each session, in order", async () => {
  const sessions = await Promise.all([
    open({ command: "exit 2" }),
    open({ program: "cat" }),
    open({ program: "sleep", args: ["60"] }),
  ]);

  // Each has come where it stays, and is seen there long before the deadline.
  await sessions[0]?.exited;
  await waitForInput(sessions[1] as Session);

  const yields = await waitForAll(sessions, { deadlineMs: 3_000 });

  expect(yields.map(({ session, yielded }) => [session.id, yielded.reason])).toEqual(
    sessions.map(({ id }, index) => [id, ["exited", "input", "deadline"][index]]),
  );
});

test("waiting for no session is refused, and an abort ends all waits", async () => {
  const sessions = await Promise.all([
    open({ program: "sleep", args: ["60"] }),
    open({ program: "sleep", args: ["60"] }),
  ]);
  const reason = new Error("enough");
  const control = new AbortController();
  const waits = [waitForAny(sessions, { signal: control.signal }), waitForAll(sessions, { signal: control.signal })];
  control.abort(reason);

  for (const wait of waits) await expect(wait).rejects.toBe(reason);
  await expect(waitForAny([])).rejects.toMatchObject({ code: "BAD_OPTION" });
});

test("twenty sessions may share one signal without a warning", async () => {
  const transport = scriptedTransport(async ({ readLine }) => {
    await readLine();
    return { kind: "code", code: 0 };
  });
  const sessions = await Promise.all(Array.from({ length: 20 }, () => open({ program: "scripted", transport })));
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  const control = new AbortController();
  const waits = [waitForAny, waitForAll].map((wait) => wait(sessions, { onInput: false, signal: control.signal }));
  await new Promise((done) => setImmediate(done));
  control.abort();

  await Promise.allSettled(waits);
  await new Promise((done) => setImmediate(done));

  process.off("warning", note);
  expect(warnings).toEqual([]);
});
