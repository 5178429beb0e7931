import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DiskJournal } from "../../journal/disk/disk-journal.ts";
import { OutputStore } from "../../journal/output-store.ts";
import { OutputSearch } from "./output-search.ts";

const JOURNAL_BYTES = 8 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);

async function keep({ onDisk }: { readonly onDisk: boolean }): Promise<OutputStore> {
  const directory = onDisk ? await mkdtemp(join(tmpdir(), "limpet-test-")) : undefined;
  const disk = directory ? new DiskJournal({ directory, maxBytes: 16 * 1024 * 1024 }) : undefined;
  onTestFinished(async () => {
    await disk?.close({ keep: false });
    if (directory) rmSync(directory, { recursive: true, force: true });
  });
  return new OutputStore({ journalBytes: JOURNAL_BYTES, disk, onFlood: "drop" });
}

async function finish(search: OutputSearch, store: OutputStore): Promise<string | undefined> {
  for (;;) {
    search.advance();
    if (search.isDone) return search.match?.text;
    await store.changes.next({ atMs: performance.now() + 5 });
  }
}

function fill(store: OutputStore, count: number): void {
  for (let line = 0; line < count; line += 1) store.append(bytes(`this is line ${line}\r\n`), "terminal");
}

test.each([0, 5_000, 20_000])(
  "from byte %i on, what only the disk holds is searched, and ends at its place",
  async (from) => {
    const store = await keep({ onDisk: true });
    fill(store, 5_000);
    const search = new OutputSearch(store, /line 2500\b/, { from });

    const found = await finish(search, store);

    const { bytes: before } = await store.read({ from: search.cursor - 9, maxBytes: 9 });
    expect({ found, before: Buffer.from(before).toString() }).toEqual({ found: "line 2500", before: "line 2500" });
  },
);

test("without a disk, what was dropped is skipped and the rest is searched", async () => {
  const store = await keep({ onDisk: false });
  fill(store, 5_000);

  expect(await finish(new OutputSearch(store, /line 2500\b/, { from: 0 }), store)).toBeUndefined();
  expect(await finish(new OutputSearch(store, /line 10\b/, { from: 0 }), store)).toBe("line 10");
  expect(await finish(new OutputSearch(store, /line 4999\b/, { from: 0 }), store)).toBe("line 4999");
});

test("a match does not reach over bytes that were dropped", async () => {
  const store = await keep({ onDisk: false });
  store.append(Buffer.alloc(JOURNAL_BYTES / 2, "A"), "terminal");
  store.append(Buffer.alloc(JOURNAL_BYTES, "-"), "terminal");
  store.append(Buffer.alloc(JOURNAL_BYTES / 2, "B"), "terminal");

  expect(await finish(new OutputSearch(store, /AB/, { from: 0 }), store)).toBeUndefined();
  expect(await finish(new OutputSearch(store, /BB/, { from: 0 }), store)).toBe("BB");
});

test("output that left memory while it was searched is searched on disk", async () => {
  const store = await keep({ onDisk: true });
  fill(store, 10);
  const search = new OutputSearch(store, /line 2500\b/, { from: 0 });
  search.advance();
  fill(store, 5_000);

  expect(await finish(search, store)).toBe("line 2500");
});

test("a cursor beyond the end begins at the end", async () => {
  const store = await keep({ onDisk: false });
  store.append(bytes("READY"), "terminal");
  const search = new OutputSearch(store, /READY/, { from: 1_000 });
  store.append(bytes(" READY"), "terminal");

  expect(await finish(search, store)).toBe("READY");
  expect(search.cursor).toBe("READY READY".length);
});
