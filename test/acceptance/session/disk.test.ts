import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "../../../src/entries/session.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { needs, skipTestWithout } from "../../support/needs.ts";
import { startScript } from "../../support/processes.ts";
import { followAll, isLong, sha256, takeAll, until } from "../../support/sessions.ts";

guardEveryCase();

let stateDirectory: string;
beforeAll(() => {
  stateDirectory = mkdtempSync(join(tmpdir(), "limpet-disk-"));
});
afterAll(() => rmSync(stateDirectory, { recursive: true }));

const MEGABYTE = 1024 * 1024;

/** Bytes that are the same on every run and have no pattern. */
const NOISE =
  "import sys,random\nr=random.Random(7)\nfor i in range(N):\n sys.stdout.buffer.write(r.randbytes(100000))";

function noise(megabytes: number, options: { readonly diskBytes?: number } = {}) {
  skipTestWithout("python3");
  const script = NOISE.replace("N", String(megabytes * 10));
  return openSession({ program: "python3", args: ["-c", script], tty: false, stateDirectory, ...options });
}

async function noiseItself(megabytes: number): Promise<Buffer> {
  skipTestWithout("python3");
  const script = NOISE.replace("N", String(megabytes * 10));
  const session = await openSession({ program: "python3", args: ["-c", script], tty: false, onFlood: "block" });
  return (await followAll(session)).bytes;
}

test.each([60_000, 65_536, 3_000_000])(
  "output larger than memory is read back from disk byte for byte, %i bytes a page",
  async (maxBytes) => {
    // Within what may wait for a slow disk.
    const megabytes = 6;
    const expected = sha256(await noiseItself(megabytes));
    await using session = await noise(megabytes);
    await session.ended;

    const { bytes, dropped } = await takeAll(session, maxBytes);

    expect([sha256(bytes), dropped]).toEqual([expected, 0]);
    expect(session.journalHealth).toEqual({ kind: "good" });
  },
);

test("with segments dropped, what is read and what was dropped add up, and each byte is right", async () => {
  const whole = await noiseItself(6);
  await using session = await noise(6, { diskBytes: 2 * MEGABYTE });
  await session.ended;
  // What still waits for the disk can be read, also beyond the limit.
  await session.flush();
  let read = 0;
  let dropped = 0;

  for (let cursor = 0; cursor < session.endCursor; ) {
    const page = await session.read({ from: cursor, maxBytes: 100_000 });
    expect(page.from).toBe(cursor + page.dropped);
    expect(whole.subarray(page.from, page.next).equals(page.bytes)).toBe(true);
    read += page.bytes.length;
    dropped += page.dropped;
    cursor = page.next;
  }

  expect(read + dropped).toBe(session.endCursor);
  expect(read).toBeGreaterThan(1.25 * MEGABYTE);
  expect(dropped).toBeGreaterThan(3 * MEGABYTE);
});

test("a reader that follows a flood from disk sees each byte once or learns of the gap", async () => {
  const whole = await noiseItself(20);
  await using session = await noise(20, { diskBytes: MEGABYTE });

  let covered = 0;
  for await (const page of session.output()) {
    expect(page.from).toBe(covered + page.dropped);
    expect(whole.subarray(page.from, page.next).equals(page.bytes)).toBe(true);
    covered = page.next;
    // Slow enough to fall behind memory and into the disk.
    await new Promise((resolve) => setTimeout(resolve, 3));
  }

  expect(covered).toBe(whole.length);
});

test("files on disk stay within their limit and are readable only by this user", async () => {
  await using session = await noise(12, { diskBytes: 2 * MEGABYTE });
  await session.ended;
  await session.flush();

  const sessions = join(stateDirectory, "sessions");
  const own = readdirSync(sessions).filter((name) => name.startsWith(`${session.id}-`));
  const directory = join(sessions, own[0] ?? "");
  const files = readdirSync(directory).map((name) => statSync(join(directory, name)));

  expect(own).toHaveLength(1);
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(2.2 * MEGABYTE);
  expect(files.map(({ mode }) => mode & 0o777)).toEqual(files.map(() => 0o600));
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  await session.discard();
  expect(existsSync(directory)).toBe(false);
});

test("a program that switches between stdout and stderr at each byte does not fill memory while the disk works", async () => {
  skipTestWithout("python3");
  const script = "import os\nfor i in range(N):\n os.write(1,b'o'); os.write(2,b'e')".replace(
    "N",
    isLong ? "1000000" : "100000",
  );
  const before = process.memoryUsage().rss;
  let most = 0;
  await using session = await openSession({ program: "python3", args: ["-c", script], tty: false, stateDirectory });
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before);
  }, 10);

  await session.ended;
  const { bytes, dropped } = await takeAll(session);
  clearInterval(watching);

  expect(bytes.length + dropped).toBe(isLong ? 2_000_000 : 200_000);
  expect(most).toBeLessThan(100 * MEGABYTE);
});

const inPrivateMounts = (mount: string) => `exec unshare -m /bin/bash -c '${mount} && exec "$@"' bash "$@"`;

interface Outcome {
  readonly health: { readonly kind: string; readonly reason: string };
  /** After the end of the session. */
  readonly lostBytes: number;
  readonly read: number;
  readonly dropped: number;
}

async function fillDisk(total: number, wrap: (directory: string) => string): Promise<Outcome> {
  const directory = mkdtempSync(join(stateDirectory, "full-"));
  const script = startScript("fills-a-disk.mjs", [directory, String(total)], wrap(directory));
  const outcome = await script.next();
  expect(outcome).toMatchObject({ problems: [], exit: { kind: "code", code: 0 }, end: total + 1000, tail: true });
  expect(await script.ended).toEqual({ code: 0, signal: null, errors: "" });
  const { health, lostBytes, read, dropped } = outcome as unknown as Outcome;
  expect(read + dropped).toBe(total + 1000);
  return { health, lostBytes, read, dropped };
}

test.runIf(needs("root"))("on a full disk the session continues, reports it and counts the gap", async () => {
  const { health, lostBytes, dropped } = await fillDisk(8_000_000, (directory) =>
    inPrivateMounts(`mount -t tmpfs -o size=1m none ${directory}`),
  );

  expect(health).toMatchObject({ kind: "degraded", reason: "ENOSPC" });
  expect(lostBytes).toBeGreaterThan(6_000_000);
  expect(dropped).toBeLessThanOrEqual(lostBytes);
});

test.runIf(needs("root"))("when there is space again the journal continues", async () => {
  const mount = (directory: string) =>
    `mount -t tmpfs -o size=3m none ${directory} && head -c 2500000 /dev/zero > ${directory}/ballast`;
  const { health, read } = await fillDisk(4_000_000, (directory) => inPrivateMounts(mount(directory)));

  expect(health).toMatchObject({ kind: "degraded", reason: "ENOSPC" });
  expect(read).toBeGreaterThan(MEGABYTE);
});

test.runIf(needs("root"))("without inodes the session continues and reports it", async () => {
  const { health, lostBytes } = await fillDisk(3_000_000, (directory) =>
    inPrivateMounts(`mount -t tmpfs -o nr_inodes=2 none ${directory}`),
  );

  expect(health).toMatchObject({ kind: "degraded" });
  expect(lostBytes).toBe(3_001_000);
  // Node's own mkdir, asked for several levels, says one or the other.
  expect(health.reason).toMatch(/^(ENOSPC|ENOENT)$/);
});

test("at the file size limit the session continues and reports it", async () => {
  const { health, dropped } = await fillDisk(8_000_000, () => 'ulimit -f 512; exec "$@"');

  expect(health).toMatchObject({ kind: "degraded", reason: "EFBIG" });
  expect(dropped).toBeGreaterThan(0);
});

test("if the directory cannot be created the session continues and reports it", async () => {
  const file = join(stateDirectory, "a-file");
  writeFileSync(file, "in the way");
  await using session = await openSession({
    command: "head -c 3000000 /dev/zero; read line",
    shell: "/bin/sh",
    tty: false,
    stateDirectory: file,
  });
  await until(() => session.endCursor === 3_000_000, "all output");
  await until(() => session.journalHealth?.kind === "degraded", "the refusal");

  const { bytes, dropped } = await takeAll(session);

  expect([bytes.length, dropped]).toEqual([MEGABYTE, 3_000_000 - MEGABYTE]);
  expect(session.journalHealth).toEqual({ kind: "degraded", lostBytes: 3_000_000, atCursor: 0, reason: "ENOTDIR" });
  expect(session.phase).toBe("running");
  expect(readFileSync(file, "utf8")).toBe("in the way");
});

test("a journal that is deleted or damaged while in use is a gap, not an end", async () => {
  await using session = await openSession({
    command: "stty raw -echo; echo ready; head -c 6000000 /dev/zero; read line",
    shell: "/bin/bash",
    stateDirectory,
    diskBytes: 8 * MEGABYTE,
  });
  await until(() => session.endCursor === 6_000_006, "all output");
  await session.flush();
  const sessions = join(stateDirectory, "sessions");
  const directory = join(sessions, readdirSync(sessions).find((name) => name.startsWith(`${session.id}-`)) ?? "");
  const files = readdirSync(directory).sort();
  rmSync(join(directory, files[1] ?? ""));
  writeFileSync(join(directory, files[2] ?? ""), "rubbish");

  const { bytes, dropped } = await takeAll(session);
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  const without = await takeAll(session);

  expect(files.length).toBeGreaterThan(4);
  expect(bytes.length + dropped).toBe(session.endCursor);
  expect(bytes.length).toBeGreaterThan(4_000_000);
  expect(without.bytes.length + without.dropped).toBe(session.endCursor);
  expect(createHash("md5").update(without.bytes.subarray(7)).digest("hex")).toBe(
    createHash("md5")
      .update(Buffer.alloc(without.bytes.length - 7))
      .digest("hex"),
  );
});
