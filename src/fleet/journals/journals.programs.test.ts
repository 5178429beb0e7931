/** Copies of journals through a real nats-server, with the rights of a host and of a door only. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { NatsServer } from "../../../test/support/fleet/nats-server.ts";
import { startSecuredNats } from "../../../test/support/fleet/secured-nats.ts";
import { skipWithout } from "../../../test/support/needs.ts";
import type { JournalSource } from "../../host/further-listener.ts";
import type { Bus } from "../nats/bus.ts";
import { connectNats } from "../nats/connect-nats.ts";
import { CopiedJournal, copiedSessions } from "./copied-journal.ts";
import { describeMissing } from "./copy-record.ts";
import { JournalCopier } from "./journal-copier.ts";
import { JournalKey, readJournalKey } from "./journal-key.ts";
import { SEGMENT_BYTES, SLOTS } from "./segment.ts";

const { setUp, tearDown } = skipWithout("nats-server");

let server: NatsServer;
let fleet: string;
let [host, door]: Bus[] = [];
let key: JournalKey;

setUp(async () => {
  ({ server, fleet } = await startSecuredNats([
    { kind: "host", name: "gpu-1" },
    { kind: "door", name: "laptop" },
  ]));
  key = readJournalKey(join(fleet, "journal.key"));
  [host, door] = await Promise.all([connected("host", "gpu-1"), connected("door", "laptop")]);
});

tearDown(async () => {
  await Promise.all([host?.close(), door?.close()]);
  await server?.close();
});

function connected(kind: "host" | "door", name: string): Promise<Bus> {
  const access = { url: server.url, creds: join(fleet, `${kind}s/${name}.creds`), tlsCa: join(fleet, "ca.crt") };
  return connectNats({ access, kind, name });
}

interface Printed {
  id: number;
  bytes: Buffer;
  hasEnded: boolean;
  /** What the host itself has dropped. */
  droppedTo: number;
  isCopied?: boolean;
}

function sourceOf({ id, bytes, hasEnded, droppedTo, isCopied }: Printed): JournalSource {
  return {
    id,
    name: `s${id}`,
    program: "make all",
    exit: hasEnded ? { kind: "code", code: 0 } : null,
    outputBytes: bytes.length,
    isCopied,
    read: async ({ from, maxBytes }) => {
      const first = Math.max(from, droppedTo);
      const piece = bytes.subarray(first, first + Math.min(maxBytes, 50_000));
      return { bytes: piece, from: first, next: first + piece.length, dropped: first - from };
    },
  };
}

function copier(
  epoch: number,
  printed: readonly Printed[],
  { problems = [], copies = "all" }: { problems?: string[]; copies?: "all" | "asked" } = {},
): JournalCopier {
  return new JournalCopier(host as Bus, {
    host: "gpu-1",
    epoch,
    key,
    sources: () => printed.map(sourceOf),
    copies,
    onProblem: (text) => problems.push(text),
    everyMs: 3_600_000,
    maxBytes: 256 * 1024 * 1024,
  });
}

async function readAll(journal: CopiedJournal | undefined): Promise<{ bytes: Buffer; dropped: number }> {
  if (!journal) throw new Error("There is no copy.");
  const parts: Uint8Array[] = [];
  let [cursor, dropped] = [0, 0];
  for (;;) {
    const page = await journal.read(cursor);
    parts.push(page.bytes);
    dropped += page.dropped;
    if (page.next === cursor || page.bytes.length === 0) return { bytes: Buffer.concat(parts), dropped };
    cursor = page.next;
  }
}

const opened = (epoch: number, id: number, by = key) =>
  CopiedJournal.open(door as Bus, by, { host: "gpu-1", epoch, id });

test("an ended session is read back byte for byte, and nothing is missing", async () => {
  const bytes = randomBytes(3 * SEGMENT_BYTES + 777);
  const copying = copier(1, [{ id: 1, bytes, hasEnded: true, droppedTo: 0 }]);

  await copying.close();
  const journal = await opened(1, 1);

  expect((await readAll(journal)).bytes.equals(bytes)).toBe(true);
  expect(journal?.record).toMatchObject({ name: "s1", program: "make all", exit: { kind: "code", code: 0 } });
  expect(journal && describeMissing(journal.record, journal.keptFrom)).toBe("All output was copied.");
});

test("a session is copied or not as whoever started it wants, and else as the host is set up", async () => {
  const bytes = Buffer.from("hello");
  const printed = [true, false, undefined].map((isCopied, index) => ({
    ...{ id: index + 1, bytes, hasEnded: true, droppedTo: 0 },
    ...(isCopied === undefined ? {} : { isCopied }),
  }));

  await copier(21, printed, { copies: "all" }).close();
  await copier(22, printed, { copies: "asked" }).close();
  const copied = (await copiedSessions(door as Bus, "gpu-1")).filter(({ epoch }) => epoch > 20);

  expect(copied.map(({ epoch, id }) => [epoch, id])).toEqual([
    [21, 1],
    [21, 3],
    [22, 1],
  ]);
});

test("the copy of a session that runs grows with it, and says what may be missing", async () => {
  const all = randomBytes(2 * SEGMENT_BYTES + 10);
  const session: Printed = { id: 2, bytes: all.subarray(0, 100), hasEnded: false, droppedTo: 0 };
  const copying = copier(1, [session]);

  await copying.copy();
  const early = await readAll(await opened(1, 2));
  session.bytes = all;
  await copying.copy();
  const journal = await opened(1, 2);

  expect(early.bytes.equals(all.subarray(0, 100))).toBe(true);
  expect((await readAll(journal)).bytes.equals(all)).toBe(true);
  expect(journal && describeMissing(journal.record, journal.keptFrom)).toMatch(
    /^Copied up to byte 262154 at \d{4}-\S+Z\. All later output is missing\.$/,
  );
  await copying.close();
});

test("a session that prints without end keeps its last 32 MiB, and its reader learns how much is gone", async () => {
  const session: Printed = {
    id: 3,
    bytes: Buffer.alloc((SLOTS + 3) * SEGMENT_BYTES + 5, "x"),
    hasEnded: true,
    droppedTo: 0,
  };
  const copying = copier(1, [session]);

  for (let round = 0; round < 6; round += 1) await copying.copy();
  const { bytes, dropped } = await readAll(await opened(1, 3));

  expect(dropped).toBe(4 * SEGMENT_BYTES);
  expect(bytes.length).toBe((SLOTS - 1) * SEGMENT_BYTES + 5);
  await copying.close();
});

test("what the host has dropped is counted as dropped by whoever reads the copy", async () => {
  const bytes = randomBytes(2 * SEGMENT_BYTES);
  const droppedTo = SEGMENT_BYTES + 1_000;
  const copying = copier(1, [{ id: 4, bytes, hasEnded: true, droppedTo }]);

  await copying.close();
  const read = await readAll(await opened(1, 4));

  expect(read.dropped).toBe(droppedTo);
  expect(read.bytes.equals(bytes.subarray(droppedTo))).toBe(true);
});

test("NATS stores nothing that can be read without the key, and another key opens nothing", async () => {
  const copying = copier(7, [
    { id: 5, bytes: Buffer.from("the secret plan ".repeat(1_000)), hasEnded: true, droppedTo: 0 },
  ]);
  await copying.close();

  const stored = await (door as Bus).request(
    "$JS.API.DIRECT.GET.limpet-journals.limpet.journal.gpu-1.7.5.0",
    new Uint8Array(0),
    { timeoutMs: 20_000 },
  );

  expect(stored?.length).toBeGreaterThan(20);
  expect(Buffer.from(stored ?? []).includes("secret")).toBe(false);
  expect(await opened(7, 5, new JournalKey(randomBytes(32)))).toBeUndefined();
  expect(await key.open("limpet.journal.gpu-1.7.6.0", stored ?? new Uint8Array(0))).toBeUndefined();
});

test("the sessions of all epochs of a host are listed", async () => {
  const copying = copier(9, [
    { id: 12, bytes: Buffer.from("x"), hasEnded: false, droppedTo: 0 },
    { id: 11, bytes: Buffer.alloc(0), hasEnded: false, droppedTo: 0 },
  ]);
  await copying.close();

  const listed = await copiedSessions(door as Bus, "gpu-1");

  expect(listed.filter(({ epoch }) => epoch === 9)).toEqual([
    { host: "gpu-1", epoch: 9, id: 11 },
    { host: "gpu-1", epoch: 9, id: 12 },
  ]);
  expect(await copiedSessions(door as Bus, "gpu-2")).toEqual([]);
});

test("an emptied NATS is filled again as soon as it is back", async () => {
  const bytes = randomBytes(SEGMENT_BYTES + 1);
  const problems: string[] = [];
  const copying = copier(10, [{ id: 1, bytes, hasEnded: true, droppedTo: 0 }], { problems });
  await copying.copy();
  await deleteStream();

  await expect.poll(() => opened(10, 1), { timeout: 60_000 }).toBeDefined();
  await copying.copy();

  expect((await readAll(await opened(10, 1))).bytes.equals(bytes)).toBe(true);
  await copying.close();
});

/** As a server that has lost its disk. */
async function deleteStream(): Promise<void> {
  const isBack = Promise.all([host, door].map((bus) => new Promise<void>((resolve) => bus?.onBack(resolve))));
  await server.kill();
  rmSync(join(fleet, "server/jetstream"), { recursive: true });
  await server.start();
  await isBack;
}
