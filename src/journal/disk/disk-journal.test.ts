import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/watching.ts";
import { type Disk, pooledDisk } from "./disk.ts";
import { DiskJournal } from "./disk-journal.ts";

const MEGABYTE = 1024 * 1024;
/** A write that is refused loses as much as this, and no more. */
const BATCH = 256 * 1024;

/** A disk with space for this many bytes. It counts the writes that it refuses. */
function smallDisk(space: number) {
  const state = { space, refused: 0 };
  const disk: Disk = {
    async run(job) {
      if (job.kind === "append" && job.bytes.length > state.space) {
        state.refused += 1;
        throw Object.assign(new Error("full"), { code: "ENOSPC" });
      }
      if (job.kind === "append") state.space -= job.bytes.length;
      await pooledDisk.run(job);
    },
  };
  return { state, disk };
}

const OUTPUT = Buffer.from(Uint32Array.from({ length: MEGABYTE }, (_, n) => n).buffer);

async function readAll(journal: DiskJournal) {
  let [read, dropped] = [0, 0];
  for (let cursor = 0; ; ) {
    const page = await journal.read(cursor, OUTPUT.length, 100_000);
    if (!page) return { read, dropped };
    expect(OUTPUT.subarray(page.from, page.next).equals(page.bytes)).toBe(true);
    read += page.bytes.length;
    dropped += page.dropped;
    cursor = page.next;
  }
}

test.each([0, 0.3, 0.6, 1.3, 1.9, 2.4])(
  "with space for %d MB, a write that is too large is tried in parts",
  async (megabytes) => {
    const space = megabytes * MEGABYTE;
    const { state, disk } = smallDisk(space);
    const journal = new DiskJournal({
      directory: join(temporaryDirectory(), "journal"),
      maxBytes: 64 * MEGABYTE,
      disk,
    });

    journal.append(0, OUTPUT.subarray(0, 3 * MEGABYTE), "terminal");
    await journal.flush();
    const lostBytes = journal.health.kind === "degraded" ? journal.health.lostBytes : 0;
    const { read } = await readAll(journal);

    expect(journal.health).toMatchObject({ kind: "degraded", reason: "ENOSPC" });
    expect(read + lostBytes).toBe(3 * MEGABYTE);
    expect(read).toBeGreaterThan(space - BATCH - 2_000);
    // One for each part that is lost, and a few to find out that only parts fit.
    expect(state.refused).toBeLessThanOrEqual(Math.ceil(lostBytes / BATCH) + 5);

    state.space = 64 * MEGABYTE;
    journal.append(3 * MEGABYTE, OUTPUT.subarray(3 * MEGABYTE), "terminal");
    await journal.flush();

    expect(await readAll(journal)).toEqual({ read: read + MEGABYTE, dropped: lostBytes });
    await journal.close({ keep: false });
  },
);
