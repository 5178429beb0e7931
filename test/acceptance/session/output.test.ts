import { expect, test } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { localTransport } from "../../../src/entries/transport.ts";
import { internalsOf } from "../../../src/session/session-internals.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout } from "../../support/needs.ts";
import { followAll, isLong, outputHas, requireSound, sha256, takeAll, until } from "../../support/sessions.ts";

guardEveryCase();

const MEMORY_BYTES = 1024 * 1024;

test("a reader of an endless program in small pieces gets bytes in order or exact counts of what it missed", async () => {
  await using session = await openSession({ program: "yes" });
  await until(() => session.endCursor > 0, "it prints");
  const untilMs = performance.now() + (isLong ? 30_000 : 1_000);
  let cursor = 0;
  let read = 0;
  let dropped = 0;
  let broken = 0;

  while (read === 0 || performance.now() < untilMs) {
    const page = await session.read({ from: cursor, maxBytes: 10_240 });
    if (page.next === cursor) {
      await until(() => session.endCursor > cursor, "more output");
      continue;
    }
    requireSound(page, cursor);
    // "y\r\n" again and again: the cursor alone tells which of the three a byte must be.
    if (page.bytes.some((byte, index) => byte !== "y\r\n".charCodeAt((page.from + index) % 3))) broken += 1;
    cursor = page.next;
    read += page.bytes.length;
    dropped += page.dropped;
  }

  expect(broken).toBe(0);
  expect(read + dropped).toBe(cursor);
  expect(read).toBeGreaterThan(0);
});

test("without readers, the output of an endless program is cut to the limit and the count is exact", async () => {
  await using session = await openSession({ program: "yes" });
  await until(() => session.endCursor > 3 * MEMORY_BYTES, "more output than memory keeps", 60_000);
  await session.close({ force: true });

  const { bytes, dropped } = await takeAll(session);

  expect(bytes.length).toBe(MEMORY_BYTES);
  expect(bytes.length + dropped).toBe(session.endCursor);
});

test("a gigantic line without an end keeps head and tail and counts the rest", async () => {
  const total = isLong ? 1_000_000_000 : 50_000_000;
  await using session = await openSession({ command: `head -c ${total} /dev/zero | tr '\\0' A`, shell: "/bin/sh" });
  await session.ended;

  const head = await session.read({ from: 0 });
  const rest = await takeAll(session);

  expect(session.endCursor).toBe(total);
  expect(head).toEqual({ bytes: new Uint8Array(65_536).fill(65), from: 0, next: 65_536, dropped: 0 });
  expect(rest.bytes.equals(Buffer.alloc(MEMORY_BYTES, "A"))).toBe(true);
  expect(rest.dropped).toBe(total - MEMORY_BYTES);
}, 120_000);

const WIDE = "é🎉世";

test("characters split at every byte arrive whole in every call, and the cursor counts bytes", async () => {
  skipTestWithout("python3");
  // One byte a write, each only after the one before was asked for.
  const script = `import os,sys\nos.system("stty raw -echo")\nb="${WIDE}".encode()*20\nos.write(1,b"ready")\nfor i in range(len(b)):\n os.read(0,1)\n os.write(1,b[i:i+1])`;
  await using session = await openSession({ program: "python3", args: ["-c", script] });
  await outputHas(session, "ready");
  const bytes = Buffer.from(WIDE.repeat(20));
  let text = "";
  let cursor = 5;

  for (let index = 0; index < bytes.length; index += 1) {
    await session.write("x");
    await until(() => session.endCursor === 6 + index, "the next byte");
    const page = await session.readText({ from: cursor });
    expect(page.text).not.toContain("\uFFFD");
    expect(page.next).toBe(page.from + Buffer.byteLength(page.text));
    text += page.text;
    cursor = page.next;
  }

  expect(text).toBe(WIDE.repeat(20));
  expect(cursor).toBe(5 + bytes.length);
});

test.each([1, 2, 3, 4, 5, 7, 1000])("pages of %i bytes never cut a character", async (maxBytes) => {
  await using session = await openSession({ program: "printf", args: [WIDE.repeat(50)] });
  await session.ended;

  expect(await readAllText(session, maxBytes)).toBe(WIDE.repeat(50));
});

test.each([0, 1, 2, 3])("a character on the border between the beginning and the rest is whole, %i", async (shift) => {
  skipTestWithout("python3");
  // The beginning that is kept for good is 65,536 bytes.
  const text = "a".repeat(65_533 + shift) + WIDE.repeat(20);
  await using session = await openSession({
    program: "python3",
    args: ["-c", `print("a" * ${65_533 + shift} + "${WIDE}" * 20, end="")`],
  });
  await session.ended;

  expect(await readAllText(session, 65_536)).toBe(text);
  expect(await readAllText(session, 1_000)).toBe(text);
});

async function readAllText(session: Awaited<ReturnType<typeof openSession>>, maxBytes: number): Promise<string> {
  let text = "";
  for (let cursor = 0; cursor < session.endCursor; ) {
    const page = await session.readText({ from: cursor, maxBytes });
    if (page.next <= cursor) throw new Error(`Stuck at ${cursor}`);
    text += page.text;
    cursor = page.next;
  }
  return text;
}

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const HOSTILE: readonly (readonly [string, Buffer])[] = [
  ["all 256 bytes", ALL_BYTES],
  ["overlong forms", Buffer.from([0xc0, 0x80, 0xe0, 0x80, 0xaf, 0xf0, 0x80, 0x80, 0xaf, 0xc1, 0xbf])],
  ["lone surrogates", Buffer.from([0xed, 0xa0, 0x80, 0xed, 0xbf, 0xbf, 0x41])],
  ["beyond Unicode", Buffer.from([0xf4, 0x90, 0x80, 0x80, 0xf8, 0x88, 0x80, 0x80, 0x80, 0xff, 0xfe])],
  ["NULs", Buffer.alloc(5000)],
  ["an unfinished character at the end", Buffer.from([0x41, 0xf0, 0x9f, 0x8e])],
  ["a byte order mark", Buffer.from([0xef, 0xbb, 0xbf, 0x41])],
];

test.each(HOSTILE)("%s: the journal is exact and the text is valid", async (_name, bytes) => {
  skipTestWithout("python3");
  for (const tty of [true, false]) {
    const script = `import os,sys\nos.isatty(1) and os.system("stty -opost")\nb=bytes.fromhex("${bytes.toString("hex")}")\nos.write(1,b)`;
    await using session = await openSession({ program: "python3", args: ["-c", script], tty });
    await session.ended;

    const raw = await takeAll(session, 3);
    const text = await readAllText(session, 65_536);

    expect(sha256(raw.bytes)).toBe(sha256(bytes));
    expect(raw.dropped).toBe(0);
    expect(text).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    expect(JSON.parse(JSON.stringify({ text }))).toEqual({ text });
    expect(text).not.toMatch(/\p{Surrogate}/u);
  }
});

test("everything a program wrote before its exit is available when the exit is reported", async () => {
  const total = 1_000_000;
  for (let round = 0; round < (isLong ? 100 : 10); round += 1) {
    await using session = await openSession({
      command: `stty -opost; head -c ${total} /dev/zero; exit 7`,
      shell: "/bin/sh",
      journalBytes: 2 * total,
    });
    const exit = await session.exited;

    expect([exit, session.endCursor]).toEqual([{ kind: "code", code: 7 }, total]);
  }
});

test("short output is available when the exit is reported, every time", { timeout: 180_000 }, async () => {
  const lengths = new Set<number>();
  for (let round = 0; round < (isLong ? 1_000 : 100); round += 1) {
    await using session = await openSession({
      command: "head -c 5000 /dev/zero; exit 7",
      shell: "/bin/sh",
      tty: round % 2 === 0,
    });
    await session.exited;
    lengths.add(session.endCursor);
  }

  expect([...lengths]).toEqual([5000]);
});

test("a megabyte in an enlarged pipe is available when the exit is reported", async () => {
  skipTestWithout("python3");
  const script =
    "import fcntl,os\nfcntl.fcntl(1,1031,1<<20)\nfcntl.fcntl(2,1031,1<<20)\nos.write(1,b'x'*(1<<20))\nos.write(2,b'y'*(1<<20))\nos._exit(7)";
  let taken = 0;
  const channel = await localTransport.open({
    program: "python3",
    args: ["-c", script],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    size: { cols: 80, rows: 24 },
    tty: false,
    onOutput: (bytes) => {
      taken += bytes.length;
    },
  });
  // Nothing is read meanwhile: all of it is still in the pipes when the exit is seen.
  channel.pause();

  const exit = await channel.exited;

  expect({ exit, taken }).toEqual({ exit: { kind: "code", code: 7 }, taken: 2 << 20 });
  await channel.close({ graceMs: 0 });
});

test("output that a stopped reader left in the terminal is not lost at the exit", async () => {
  await using session = await openSession({
    command: "stty -opost; head -c 3000000 /dev/urandom | tee /dev/stderr | sha256sum",
    shell: "/bin/sh",
    onFlood: "block",
  });
  let isFirst = true;
  const { bytes, dropped } = await followAll(session, async () => {
    // The program ends, or is held up, while nobody reads.
    if (isFirst) await new Promise((resolve) => setTimeout(resolve, 200));
    isFirst = false;
  });

  expect(dropped).toBe(0);
  expect(bytes.subarray(3_000_000).toString().split(" ")[0]).toBe(sha256(bytes.subarray(0, 3_000_000)));
});

test("nothing is written between the last pieces of a program that has set terminal modes and exited", async () => {
  // The keypad mode is set while the program runs, and the rest of its output is read after its end.
  const last = "x".repeat(8_000);
  await using session = await openSession({
    command: `stty -echo; printf '\\033=ready'; read -r _; printf %s ${last}`,
    shell: "/bin/sh",
  });
  await outputHas(session, "ready");
  internalsOf(session).channel.pause();
  await session.write("\n");

  await session.exited;

  const { bytes } = await takeAll(session);
  expect(bytes.toString("latin1")).toBe(`\x1b=ready${last}`);
});
