/** Lines that are typed arrive whole, or are refused where they are longer than the kernel takes. */
import { expect, test } from "vitest";
import { openSession, type Session } from "../../../src/entries/session.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { codeOf, errorOf, outputHas } from "../../support/sessions.ts";

guardEveryCase();

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
