/** Restores the sessions of previous hosts, so that their output stays readable. */
import { rm } from "node:fs/promises";
import { DEFAULT_DISK_BYTES, DEFAULT_JOURNAL_BYTES, MAX_TOMBSTONES } from "../../base/limits.ts";
import { DiskJournal } from "../../journal/disk/disk-journal.ts";
import { restoreJournal } from "../../journal/disk/restore-journal.ts";
import type { Redaction } from "../../journal/redaction/redaction.ts";
import { restoreSession } from "../../session/open/start-session.ts";
import type { Session } from "../../session/session.ts";
import { restoreCommands } from "./command-file.ts";
import type { LossLedger } from "./loss-ledger.ts";
import { type FoundRecord, writeRecord } from "./session-record.ts";

interface RestoreParts {
  readonly losses: LossLedger;
  readonly redaction: Redaction;
}

/** Restores the latest sessions and deletes the others. A session without a recorded exit is lost. */
export async function restoreSessions(found: readonly FoundRecord[], parts: RestoreParts): Promise<Session[]> {
  const tooMany = Math.max(0, found.length - MAX_TOMBSTONES);
  for (const { directory } of found.slice(0, tooMany)) await rm(directory, { recursive: true, force: true });
  const sessions: Session[] = [];
  for (const each of found.slice(tooMany)) sessions.push(await restore(each, parts));
  return sessions;
}

async function restore({ directory, record }: FoundRecord, { losses, redaction }: RestoreParts): Promise<Session> {
  const { name, owner, exit, ...rest } = record;
  const loss = losses.of(directory);
  const restored = await restoreJournal(directory, record);
  const lost = record.lost || exit === null;
  if (lost !== record.lost) noteLoss(directory, { ...record, lost, end: restored.end });
  const session = await restoreSession({
    ...rest,
    name: name ?? undefined,
    owner,
    exit: lost || exit === null ? undefined : exit,
    journalBytes: DEFAULT_JOURNAL_BYTES,
    redaction,
    disk: new DiskJournal({
      directory,
      maxBytes: DEFAULT_DISK_BYTES,
      restored: restored.segments,
      ...(loss ? { health: loss.health } : {}),
    }),
    // Output that was counted but is not on disk is reported as dropped.
    restored: { ...restored, end: Math.max(restored.end, record.end ?? 0, loss?.end ?? 0) },
  });
  await restoreCommands(session, directory);
  return session;
}

/** If this write fails, the next host repeats it. */
function noteLoss(directory: string, record: FoundRecord["record"]): void {
  try {
    writeRecord(directory, record);
  } catch {
    // The disk is full.
  }
}
