import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { DEFAULT_SIZE } from "../../../src/base/limits.ts";
import { openSession, type Session, SessionRegistry } from "../../../src/entries/session.ts";
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

/** Prints the length of every line that it reads. */
const LINE_READER =
  "import sys\nprint('ready',flush=True)\nfor line in sys.stdin: print('line of',len(line.rstrip('\\n')),flush=True)";

async function openLineReader(): Promise<Session> {
  skipTestWithout("python3");
  const session = await openSession({ program: "python3", args: ["-c", LINE_READER] });
  await outputHas(session, "ready");
  return session;
}

test("a line of 10,000 bytes is refused with the limit, and the next line arrives untouched", async () => {
  await using session = await openLineReader();

  const error = await errorOf(session.write(`${"x".repeat(10_000)}\n`));
  await session.write("short\n");

  expect([error.code, error.undeliveredBytes]).toEqual(["LINE_TOO_LONG", 10_001]);
  expect(error.message).toContain("4095");
  await outputHas(session, "line of 5\r\n");
});

test.each([4094, 4095])("a line of %i bytes arrives whole", async (length) => {
  await using session = await openLineReader();

  await session.write(`${"x".repeat(length)}\n`);

  await outputHas(session, `line of ${length}\r\n`);
});

test("a line of 4,096 bytes is refused, also in two pieces", async () => {
  await using session = await openLineReader();

  expect(await codeOf(session.write(`${"x".repeat(4096)}\n`))).toBe("LINE_TOO_LONG");
  await session.write("y".repeat(4_000));
  expect(await codeOf(session.write(`${"z".repeat(96)}\n`))).toBe("LINE_TOO_LONG");
  await session.write(`${"z".repeat(95)}\n`);

  await outputHas(session, "line of 4095\r\n");
});

test("many lines in one write arrive whole, though together they exceed the kernel's buffer", async () => {
  await using session = await openLineReader();

  await session.write(`${`${"x".repeat(3_000)}\n`.repeat(20)}${"y".repeat(77)}\n`);

  await outputHas(session, "line of 77\r\n");
  const text = (await session.readText({ maxBytes: 1_000_000 })).text;
  expect(text.match(/line of 3000\r\n/g)).toHaveLength(20);
});

test("keys that discard the line do not count towards it", async () => {
  // The kernel's own echo of so many erased characters overflows now and then; what cat prints does not.
  const command = "stty -echo; trap '' INT; echo ready; cat";
  await using session = await openSession({ command, shell: "/bin/bash" });
  await outputHas(session, "ready");

  for (let round = 0; round < 50; round += 1) await session.write(`${"\x03".repeat(100)}${"x".repeat(2_000)}\x15`);
  await session.write("still here\n");

  await outputHas(session, "still here\r\n");
});

test("keys typed in raw mode leave no line open for a program that then reads lines", async () => {
  skipTestWithout("python3");
  const script = `import os,sys\nos.system("stty raw -echo")\nprint("ready",flush=True)\nn=0\nwhile n<9000: n+=len(os.read(0,9000-n))\nos.system("stty sane")\nprint("lines",flush=True)\nprint("line",input(),flush=True)`;
  await using session = await openSession({ program: "python3", args: ["-c", script] });
  await outputHas(session, "ready");

  await session.write("k".repeat(9_000));
  await outputHas(session, "lines");
  await session.write("hello\n");

  await outputHas(session, "line hello");
});

test("a long line on a pipe arrives whole", async () => {
  skipTestWithout("python3");
  await using session = await openSession({ program: "python3", args: ["-c", LINE_READER], tty: false });
  await outputHas(session, "ready");

  await session.write(`${"x".repeat(100_000)}\n`);

  await outputHas(session, "line of 100000\n");
});

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

/** A call that throws in the same turn, as a promise. */
async function calling(call: () => unknown): Promise<unknown> {
  return await call();
}
