import { expect, test } from "vitest";
import { openSession } from "../../entries/session.ts";

test("a skip runs after earlier calls: what they read stays read, and nothing is returned twice", async () => {
  await using session = await openSession({
    command: "seq 1 300000",
    shell: "/bin/sh",
    journalBytes: 16 * 1024 * 1024,
  });
  await session.ended;
  const reader = session.reader();

  const [first] = await Promise.all([reader.next({ maxTokens: 1_000_000, fold: false }), reader.skip()]);

  expect(first.text).toMatch(/^1\n[\s\S]*\n300000\n$/);
  expect(first.next).toBe(session.endCursor);
  expect(reader.cursor).toBe(session.endCursor);
  expect((await reader.next()).text).toBe("");
});

test("a skip omits what came before it, and only that", async () => {
  await using session = await openSession({ program: "cat", tty: false });
  const reader = session.reader();
  await session.write("unwanted\n");
  await session.wait({ until: "unwanted\n", onInput: false, deadlineMs: 10_000 });

  const skipped = reader.skip();
  await session.write("wanted\n");
  await session.wait({ until: "\nwanted\n", from: 0, onInput: false, deadlineMs: 10_000 });
  await skipped;

  expect((await reader.next()).text).toBe("wanted\n");
});
