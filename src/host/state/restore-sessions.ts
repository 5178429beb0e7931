/** The sessions of hosts before this one, as far as they are kept: what is left of them, readable as ever. */
import { rm } from "node:fs/promises";
import { DEFAULT_DISK_BYTES, DEFAULT_JOURNAL_BYTES, MAX_TOMBSTONES } from "../../base/limits.ts";
import { DiskJournal } from "../../journal/disk-journal.ts";
import { restoreJournal } from "../../journal/restore-journal.ts";
import type { Session } from "../../session/session.ts";
import { restoreSession } from "../../session/start-session.ts";
import { type FoundRecord, writeRecord } from "./session-record.ts";

/** The latest of them; the others are deleted. Those that nobody has seen the end of are lost from now on. */
export async function restoreSessions(found: readonly FoundRecord[]): Promise<Session[]> {
  const tooMany = Math.max(0, found.length - MAX_TOMBSTONES);
  for (const { directory } of found.slice(0, tooMany)) await rm(directory, { recursive: true, force: true });
  const sessions: Session[] = [];
  for (const each of found.slice(tooMany)) sessions.push(await restore(each));
  return sessions;
}

async function restore({ directory, record }: FoundRecord): Promise<Session> {
  const { name, exit, ...rest } = record;
  const restored = await restoreJournal(directory, record);
  const lost = record.lost || exit === null;
  if (lost !== record.lost) noteLoss(directory, { ...record, lost, end: restored.end });
  return await restoreSession({
    ...rest,
    name: name ?? undefined,
    exit: lost || exit === null ? undefined : exit,
    journalBytes: DEFAULT_JOURNAL_BYTES,
    disk: new DiskJournal({ directory, maxBytes: DEFAULT_DISK_BYTES, restored: restored.segments }),
    // What it knew of its end and could not write is a gap like any other.
    restored: { ...restored, end: Math.max(restored.end, record.end ?? 0) },
  });
}

/** Where that cannot be written, the next host finds out for itself. */
function noteLoss(directory: string, record: FoundRecord["record"]): void {
  try {
    writeRecord(directory, record);
  } catch {
    // A full disk.
  }
}
