import { expect, test } from "vitest";
import { LONG_MS, open, waitForInput } from "../../../test/support/watching.ts";
import { waitForAny } from "./wait-for-any.ts";

test("a match ends a wait, with its text, its groups and where it ends", async () => {
  const session = await open({ command: "echo 'listening on port 8080, ready'; exec sleep 60" });

  const yielded = await session.wait({ until: /port (?<port>\d+)/, deadlineMs: LONG_MS });

  expect(yielded).toEqual({
    reason: "matched",
    text: "port 8080",
    groups: { port: "8080" },
    captures: ["8080"],
    cursor: "listening on port 8080".length,
  });
});

test("two patterns that came in one chunk are matched by two waits", async () => {
  const session = await open({ command: "printf 'one two three\\nfour\\n'; exec sleep 60" });

  const reasons: string[] = [];
  for (const until of ["one", "two", "three", "four"]) {
    reasons.push((await session.wait({ until, deadlineMs: LONG_MS })).reason);
  }
  const again = await session.wait({ until: "four", deadlineMs: 50 });

  expect([...reasons, again.reason]).toEqual(["matched", "matched", "matched", "matched", "deadline"]);
});

test("a pattern is matched across the border between two calls", async () => {
  const session = await open({ command: "printf 'REA'; read -rs; printf 'DY\\n'; exec sleep 60" });
  const first = await session.wait({ until: /READY/, deadlineMs: LONG_MS });
  await session.write("\n");

  const second = await session.wait({ until: /READY/, deadlineMs: LONG_MS });

  expect([first.reason, second.reason]).toEqual(["input", "matched"]);
});

test("the same across the border of a wait for any of several", async () => {
  const session = await open({ command: "printf 'REA'; read -rs; printf 'DY\\n'; exec sleep 60" });
  const other = await open({ program: "sleep", args: ["60"] });
  await waitForAny([session, other], { until: /READY/, deadlineMs: LONG_MS });
  await waitForAny([session, other], { until: /READY/, onInput: false, deadlineMs: 50 });
  await session.write("\n");

  const last = await waitForAny([session, other], { until: /READY/, onInput: false, deadlineMs: LONG_MS });

  expect(last.yielded.reason).toBe("matched");
});

test("what happened between two calls is not missed", async () => {
  const session = await open({ command: "read -r; echo tulip; read -r; echo rose; exec sleep 60" });
  await waitForInput(session);
  await session.write("\n");
  await expect.poll(() => session.endCursor).toBeGreaterThan("\r\ntulip".length);

  const tulip = await session.wait({ until: /tulip/, onInput: false, deadlineMs: LONG_MS });
  await session.write("\n");
  const rose = await session.wait({ until: /tulip|rose/, onInput: false, deadlineMs: LONG_MS });

  expect([tulip, rose]).toMatchObject([{ text: "tulip" }, { text: "rose" }]);
});

test("a wait from a cursor sees what follows it, and does not move the position of others", async () => {
  const session = await open({ command: "echo one; echo two; echo three" });
  await session.exited;

  const from = await session.wait({ until: /\w+/, from: 5 });
  const own = await session.wait({ until: /\w+/ });

  expect([from, own]).toMatchObject([{ text: "two" }, { text: "one" }]);
});

test.each(["(", /(?<=a)b/, "a".repeat(5_000)])(
  "a pattern that cannot be searched for is refused before any waiting",
  async (until) => {
    const session = await open({ program: "sleep", args: ["60"] });

    await expect(session.wait({ until, deadlineMs: LONG_MS })).rejects.toMatchObject({ code: "BAD_PATTERN" });
  },
);
