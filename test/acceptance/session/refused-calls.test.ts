/** Calls that are refused by name: of a session that has ended or closes, of an unknown one, or with a bad value. */
import { expect, test } from "vitest";
import { DEFAULT_SIZE } from "../../../src/base/limits.ts";
import { openSession, SessionRegistry } from "../../../src/entries/session.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { codeOf, errorOf, outputHas } from "../../support/sessions.ts";

guardEveryCase();

test("an ended session refuses input, size and signals by name", async () => {
  await using session = await openSession({ program: "true" });
  await session.ended;

  expect(await codeOf(session.write("x"))).toBe("SESSION_ENDED");
  expect(await codeOf(session.signal("SIGINT"))).toBe("SESSION_ENDED");
  expect(await codeOf(calling(() => session.resize({ cols: 80, rows: 24 })))).toBe("SESSION_ENDED");
  expect(await codeOf(calling(() => session.endInput()))).toBe("SESSION_ENDED");
});

test("a closing session refuses input, size and signals by name", async () => {
  await using session = await openSession({
    command: "trap '' HUP TERM; echo ready; while :; do sleep 1; done",
    shell: "/bin/bash",
  });
  await outputHas(session, "ready\r\n");
  const seen = session.endCursor;
  const closing = session.close({ graceMs: 300 });

  expect(await codeOf(session.write("x"))).toBe("SESSION_CLOSING");
  expect(await codeOf(session.signal("SIGINT"))).toBe("SESSION_CLOSING");
  expect(await codeOf(calling(() => session.resize({ cols: 80, rows: 24 })))).toBe("SESSION_CLOSING");
  await closing;

  expect(session.endCursor).toBe(seen);
});

test("an unknown session is refused by name, and the message lists the others", async () => {
  await using registry = new SessionRegistry();
  await registry.open({ program: "cat", name: "known" });

  for (const key of [999_999, "nobody", "", "-1", "1.5", "NaN"]) {
    const error = await errorOf(calling(() => registry.get(key)));
    expect(error.code).toBe("SESSION_NOT_FOUND");
    expect(error.message).toContain('"known"');
    expect(await codeOf(registry.close(key))).toBe("SESSION_NOT_FOUND");
  }
});

test("sizes and signals that do not exist are refused", async () => {
  await using session = await openSession({ program: "cat" });
  const sizes = [
    0,
    -1,
    1.5,
    Number.NaN,
    100_000,
    Number.POSITIVE_INFINITY,
    "80" as unknown as number,
    undefined as unknown as number,
  ];

  for (const cols of sizes) expect(await codeOf(calling(() => session.resize({ cols, rows: 24 })))).toBe("BAD_OPTION");
  for (const rows of sizes)
    expect(await codeOf(openSession({ program: "cat", size: { cols: 80, rows } }))).toBe("BAD_OPTION");
  for (const name of ["SIGFOO", "", "9", "toString"])
    expect(await codeOf(session.signal(name as NodeJS.Signals))).toBe("BAD_OPTION");
  expect(session.size).toEqual(DEFAULT_SIZE);
  expect(session.phase).toBe("running");
});

test("a session without a terminal cannot be resized, and the input of one with a terminal cannot be closed", async () => {
  await using piped = await openSession({ program: "cat", tty: false });
  await using terminal = await openSession({ program: "cat" });

  expect(await codeOf(calling(() => piped.resize({ cols: 80, rows: 24 })))).toBe("NO_TERMINAL");
  expect(await codeOf(calling(() => terminal.endInput()))).toBe("BAD_OPTION");
});

/** A call that throws in the same turn, as a promise. */
async function calling(call: () => unknown): Promise<unknown> {
  return await call();
}
