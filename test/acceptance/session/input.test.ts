import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openSession, type Session } from "../../../src/entries/session.ts";
import { libc } from "../../../src/linux/libc.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { codeOf, errorOf, outputHas, until } from "../../support/sessions.ts";

guardEveryCase();

const MEGABYTE = 1024 * 1024;

/** Echoes nothing, reads bytes as they are, and prints the digest of the first `count`. */
async function openDigester(count: number, tty = true): Promise<Session> {
  skipTestWithout("python3");
  const script = `import hashlib,os,sys
if os.isatty(0): os.system("stty raw -echo")
print("ready",flush=True)
h=hashlib.md5();n=0
while n<${count}:
 b=os.read(0,${count}-n)
 if not b: break
 h.update(b);n+=len(b)
print("got",n,h.hexdigest(),flush=True)`;
  const session = await openSession({ program: "python3", args: ["-c", script], tty });
  await outputHas(session, "ready");
  return session;
}

function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}

test.each([{ tty: true }, { tty: false }])(
  "a megabyte pasted into a reader of bytes arrives whole, tty $tty",
  async ({ tty }) => {
    const paste = randomBytes(MEGABYTE);
    await using session = await openDigester(paste.length, tty);

    await session.write(paste);

    await outputHas(session, `got ${paste.length} ${md5(paste)}`);
  },
);

test("many writes at once arrive in the order of their calls, each whole", async () => {
  const pieces = Array.from({ length: 200 }, (_, index) => Buffer.alloc(5_000, index));
  const whole = Buffer.concat(pieces);
  await using session = await openDigester(whole.length);

  await Promise.all(pieces.map((piece) => session.write(piece)));

  await outputHas(session, `got ${whole.length} ${md5(whole)}`);
});

test("what the caller does with its buffer after the call changes nothing", async () => {
  const paste = randomBytes(200_000);
  const expected = md5(paste);
  await using session = await openDigester(paste.length);

  const written = session.write(paste);
  paste.fill(0);
  await written;

  await outputHas(session, expected);
});

test.each([{ tty: true }, { tty: false }])(
  "input for a program that never reads is bounded, refused by name and seldom tried again, tty $tty",
  async ({ tty }) => {
    const command = tty ? "stty raw -echo; echo ready; exec sleep 100" : "echo ready; exec sleep 100";
    await using session = await openSession({ command, shell: "/bin/sh", tty });
    await outputHas(session, "ready");
    const first = errorOf(session.write(Buffer.alloc(MEGABYTE)));

    const refused = await errorOf(session.write(Buffer.alloc(1)));
    expect(refused.code).toBe("INPUT_BACKLOG");
    expect(refused.undeliveredBytes).toBe(1);
    expect(session.queuedInputBytes).toBe(MEGABYTE);

    const attempts = vi.spyOn(libc, "write");
    await sleep(1_000);
    // At first after a millisecond, then half as often each time, down to 31 times in a second.
    expect(attempts.mock.calls.length).toBeLessThan(50);
    attempts.mockRestore();

    await session.close({ force: true });
    expect(await first).toMatchObject({ code: "INPUT_NOT_DELIVERED" });
  },
);

test("a write larger than the bound is refused whole", async () => {
  await using session = await openSession({ program: "cat" });

  const error = await errorOf(session.write(Buffer.alloc(MEGABYTE + 1)));

  expect([error.code, error.undeliveredBytes, session.queuedInputBytes]).toEqual(["INPUT_BACKLOG", MEGABYTE + 1, 0]);
});

test("a program that starts to read late gets everything", async () => {
  skipTestWithout("python3");
  const paste = randomBytes(500_000);
  const script = `import os,sys,hashlib,time
os.system("stty raw -echo")
print("ready",flush=True)
time.sleep(1)
n=0;h=hashlib.md5()
while n<${paste.length}:
 b=os.read(0,65536);n+=len(b);h.update(b)
print(h.hexdigest(),flush=True)`;
  await using session = await openSession({ program: "python3", args: ["-c", script] });
  await outputHas(session, "ready");

  await session.write(paste);

  await outputHas(session, md5(paste));
});

test("the end of a piped input follows everything written before it", async () => {
  const paste = randomBytes(800_000);
  await using session = await openSession({ program: "md5sum", tty: false });

  const written = session.write(paste);
  session.endInput();
  const late = await errorOf(session.write("late"));
  await written;
  await session.ended;

  expect((await session.readText()).text).toBe(`${md5(paste)}  -\n`);
  expect([late.code, late.undeliveredBytes]).toEqual(["INPUT_CLOSED", 4]);
});

test("a program that closed its input but keeps running is distinguished by the count", async () => {
  await using session = await openSession({
    command: "exec 0<&-; echo closed; sleep 100",
    shell: "/bin/sh",
    tty: false,
  });
  await outputHas(session, "closed");

  const error = await errorOf(session.write("nobody reads this"));

  expect([error.code, error.undeliveredBytes]).toEqual(["INPUT_NOT_DELIVERED", 17]);
  expect(session.phase).toBe("running");
});

test("every byte arrives as it is", async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  await using session = await openDigester(bytes.length);

  await session.write(bytes);

  await outputHas(session, md5(bytes));
});

test("text with NUL and the characters U+0080 to U+00FF arrives as UTF-8", async () => {
  const text = `a\0b${Array.from({ length: 128 }, (_, index) => String.fromCharCode(128 + index)).join("")}é🎉世`;
  const bytes = Buffer.from(text);
  await using session = await openDigester(bytes.length);

  await session.write(text);

  await outputHas(session, md5(bytes));
});

test.each(["\ud800", "a\udc00b", "\udfff\ud800"])(
  "half of a surrogate pair is refused, and nothing is written (%j)",
  async (text) => {
    await using session = await openSession({ program: "cat" });

    expect(await codeOf(session.write(text))).toBe("BAD_OPTION");
    await session.write("whole 🎉\n");

    await outputHas(session, "whole 🎉\r\nwhole 🎉\r\n");
    expect((await session.readText()).text).toBe("whole 🎉\r\nwhole 🎉\r\n");
  },
);

test("nothing at all can be written", async () => {
  await using session = await openSession({ program: "cat" });

  await session.write("");
  await session.write(new Uint8Array(0));

  expect(session.queuedInputBytes).toBe(0);
  expect(session.endCursor).toBe(0);
});

test("a session that ends with queued input reports how much was left", async () => {
  await using session = await openSession({
    command: "stty raw -echo; echo ready; head -c 1000 >/dev/null",
    shell: "/bin/bash",
  });
  await outputHas(session, "ready");

  const error = await errorOf(session.write(Buffer.alloc(500_000)));
  await until(() => session.phase === "ended", "the end");

  expect(error.code).toBe("INPUT_NOT_DELIVERED");
  expect(session.queuedInputBytes).toBe(0);
});
