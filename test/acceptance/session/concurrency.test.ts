import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { followAll, isLong, outputHas, sha256, takeAll, until } from "../../support/sessions.ts";

guardEveryCase();

/** Numbered lines: a byte that is missing, doubled or out of order shows. */
function linesUpTo(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");
}

test("two readers with separate cursors each get every byte once, in the same order", async () => {
  const count = isLong ? 1_000_000 : 100_000;
  await using session = await openSession({
    program: "seq",
    args: [String(count)],
    tty: false,
    journalBytes: 16 * 1024 * 1024,
  });

  const readers = await Promise.all([followAll(session), followAll(session), followAll(session)]);

  const expected = sha256(Buffer.from(linesUpTo(count)));
  expect(readers.map(({ bytes, dropped }) => [sha256(bytes), dropped])).toEqual(readers.map(() => [expected, 0]));
});

test("a reader that comes late, one that comes early and one that reads by pieces see the same", async () => {
  await using session = await openSession({ command: "read line; seq 1 20000", shell: "/bin/sh", tty: false });
  const early = followAll(session);
  await session.write("go\n");
  await session.ended;

  const late = await followAll(session);
  const pieces = await takeAll(session, 777);

  expect([await early, late, pieces].map(({ bytes }) => bytes.toString())).toEqual(
    Array.from({ length: 3 }, () => linesUpTo(20_000)),
  );
});

test("a slow reader learns exactly what it missed, and a fast one misses nothing", async () => {
  const total = 20_000_000;
  await using session = await openSession({ command: `stty -opost; head -c ${total} /dev/zero`, shell: "/bin/sh" });
  let isFirst = true;

  const [slow, fast] = await Promise.all([
    followAll(session, async () => {
      if (isFirst) await until(() => session.phase === "ended", "the end");
      isFirst = false;
    }),
    followAll(session),
  ]);

  expect(slow.bytes.length + slow.dropped).toBe(total);
  expect(slow.dropped).toBeGreaterThan(total - 3 * 1024 * 1024);
  expect(fast.bytes.length + fast.dropped).toBe(total);
});

test("a reader that stops or is aborted does not affect others", async () => {
  await using session = await openSession({ program: "cat" });
  const abort = new AbortController();
  const aborted = (async () => {
    for await (const _page of session.output({ signal: abort.signal }));
  })().catch((error: unknown) => error);
  const stops = (async () => {
    for await (const page of session.output()) if (page.bytes.length > 0) return "stopped";
    return "ended";
  })();
  const stays = followAll(session);

  await session.write("one\n");
  expect(await stops).toBe("stopped");
  await outputHas(session, "one\r\none\r\n");
  abort.abort(new Error("enough"));
  expect(await aborted).toEqual(new Error("enough"));
  await session.write("two\n");
  await outputHas(session, "two\r\ntwo\r\n");
  await session.close();

  expect((await stays).bytes.toString()).toBe("one\r\none\r\ntwo\r\ntwo\r\n");
});

test("hundreds of readers of one session see the same", async () => {
  await using session = await openSession({ command: "read line; seq 1 2000", shell: "/bin/sh", tty: false });
  const readers = Array.from({ length: 300 }, () => followAll(session));
  await session.write("go\n");

  const hashes = new Set((await Promise.all(readers)).map(({ bytes }) => sha256(bytes)));

  expect([...hashes]).toEqual([sha256(Buffer.from(linesUpTo(2000)))]);
});

test.each([{ tty: true }, { tty: false }])(
  "a held-up program loses nothing to slow readers, tty $tty",
  async ({ tty }) => {
    const count = isLong ? 1_000_000 : 400_000;
    const command = `[ -t 1 ] && stty -opost; exec seq 1 ${count}`;
    await using session = await openSession({ command, shell: "/bin/sh", tty, onFlood: "block" });
    let pages = 0;

    const [slow, slower] = await Promise.all([
      followAll(session, async () => {
        pages += 1;
        if (pages % 10 === 0) await sleep(2);
      }),
      followAll(session, async () => {
        if (pages % 5 === 0) await sleep(3);
      }),
    ]);

    const expected = sha256(Buffer.from(linesUpTo(count)));
    expect([slow, slower].map(({ bytes, dropped }) => [sha256(bytes), dropped])).toEqual([
      [expected, 0],
      [expected, 0],
    ]);
  },
);

test("a paused program continues when it is read in pieces, and waits while it is not", async () => {
  const count = 500_000;
  await using session = await openSession({
    command: `stty -opost; exec seq 1 ${count}`,
    shell: "/bin/sh",
    onFlood: "block",
  });
  await until(() => session.endCursor > 500_000 && session.silentMs > 100, "the program is held up");
  expect(session.endCursor).toBeLessThan(1024 * 1024);
  expect(session.phase).toBe("running");
  const parts: Uint8Array[] = [];
  let cursor = 0;

  while (session.phase !== "ended" || cursor < session.endCursor) {
    const page = await session.read({ from: cursor, maxBytes: 10_240 });
    expect(page.dropped).toBe(0);
    parts.push(page.bytes);
    cursor = page.next;
    if (page.bytes.length === 0) await sleep(1);
  }

  expect(sha256(Buffer.concat(parts))).toBe(sha256(Buffer.from(linesUpTo(count))));
});

test("a paused program can be closed", async () => {
  await using session = await openSession({ program: "yes", onFlood: "block" });
  await until(() => session.endCursor > 500_000 && session.silentMs > 100, "the program is held up");

  const report = await session.close();

  expect(report.left).toEqual([]);
  expect(session.phase).toBe("ended");
});

test("the exit of a paused program is reported without readers", async () => {
  await using session = await openSession({
    command: "stty -opost; head -c 530000 /dev/zero; exit 4",
    shell: "/bin/sh",
    onFlood: "block",
  });

  expect(await session.exited).toEqual({ kind: "code", code: 4 });
  const { bytes, dropped } = await followAll(session);

  expect([bytes.length, dropped]).toEqual([530_000, 0]);
});

test("stdout and stderr keep their order and are distinguished", async () => {
  await using session = await openSession({
    command: "for i in $(seq 200); do echo out $i; echo err $i >&2; done",
    shell: "/bin/sh",
    tty: false,
  });
  await session.ended;

  const { bytes } = await takeAll(session);
  const spans = session.origins(0, session.endCursor);

  const texts = (origin: string) =>
    spans
      .filter((span) => span.origin === origin)
      .map(({ from, to }) => bytes.subarray(from, to).toString())
      .join("");
  const expected = (word: string) => Array.from({ length: 200 }, (_, index) => `${word} ${index + 1}\n`).join("");
  expect([texts("stdout"), texts("stderr")]).toEqual([expected("out"), expected("err")]);
});
