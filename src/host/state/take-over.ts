/**
 * Prepares a new host: restores the sessions of previous hosts, kills what they left running, and continues their ids.
 */
import { readFileSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import type { Alarm } from "../../base/async/alarm.ts";
import { lazy } from "../../base/async/lazy.ts";
import { FORMER_JOURNAL_BYTES } from "../../base/limits.ts";
import { makeDirectorySync } from "../../base/make-directory.ts";
import type { Disk } from "../../journal/disk/disk.ts";
import { openDisk } from "../../journal/disk/open-disk.ts";
import { KnownSecrets } from "../../safety/redaction/known-secrets.ts";
import { redactData } from "../../safety/redaction/redact-data.ts";
import { SessionRegistry } from "../../session/registry/session-registry.ts";
import { ownEnv } from "../../transport/env/child-env.ts";
import { HostKeeper } from "./host-keeper.ts";
import { IdCounter } from "./id-counter.ts";
import { killLeftovers } from "./kill-leftovers.ts";
import { LossLedger } from "./loss-ledger.ts";
import { OpeningLog, recoverOpenings } from "./opening-log.ts";
import { restoreSessions } from "./restore-sessions.ts";
import { type DamagedRecord, readRecords } from "./session-record.ts";
import { inState, type StateDirectory } from "./state-directory.ts";
import { trimJournals } from "./trim-journals.ts";

/** Hundreds of sessions may end at once, so their size on disk is checked later. */
const TRIM_AFTER_MS = 10_000;

/** The next host finds the processes of a session by these. */
const KEPT: ReadonlySet<string> = new Set(["mark", "boot", "trace"]);

export interface TakeOverOptions {
  readonly maxSessions: number;
  readonly alarm: Alarm;
  /** Called when a program has ended. */
  readonly onExited: () => void;
  /** What must not be written. Default: nothing. */
  readonly known?: KnownSecrets;
  /** What writes the files of sessions. Default: a thread of its own, which lasts as long as this process. */
  readonly disk?: Disk;
}

export interface TakenOver {
  readonly registry: SessionRegistry;
  readonly keeper: HostKeeper;
  readonly ids: IdCounter;
  readonly log: OpeningLog;
  readonly losses: LossLedger;
  readonly damaged: readonly DamagedRecord[];
}

/** Only the owner of the lock may call this, because then no other host uses the files. */
export async function takeOver(
  directory: StateDirectory,
  { maxSessions, alarm, onExited, known = new KnownSecrets(), disk = openDisk() }: TakeOverOptions,
): Promise<TakenOver> {
  const sessionsDirectory = directory.file("sessions");
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  const logPath = directory.file("opening");
  const unwritten = recoverOpenings(logPath);
  const { records, damaged } = readRecords(sessionsDirectory);
  const found = [...records, ...unwritten].sort((one, other) => one.record.id - other.record.id);
  setAside(damaged, directory.file("damaged"));
  const ids = new IdCounter(directory.file("last-id"), found.at(-1)?.record.id ?? 0);
  const trim = () => void trimJournals(registry, { sessionsDirectory, maxBytes: FORMER_JOURNAL_BYTES });
  const log = inState(logPath, () => new OpeningLog(logPath));
  const losses = await LossLedger.open(
    directory.file("losses"),
    found.map((each) => each.directory),
  );
  const redact = <T>(data: T): T =>
    known.version === 0 ? data : redactData(data, { redact: (text) => known.redact(text), keeps: KEPT });
  const onEnded = soonOnce(trim, alarm);
  const keeper = new HostKeeper({ ids, log, losses, boot, redact, disk, onExited, onEnded });
  // Chosen once: that takes longer than passing the variables on, and those of a host do not change.
  const baseEnv = lazy(async () => ownEnv({ for: "agent" }).env);
  const defaults = { stateDirectory: directory.path, redaction: known, baseEnv };
  const registry = new SessionRegistry({ maxSessions, defaults }, keeper);
  const mayRun = found.map(({ record }) => record).filter((record) => record.boot === boot);
  if (mayRun.length > 0) await killLeftovers(mayRun);
  for (const session of await restoreSessions(found, { losses, redaction: known })) registry.adopt(session);
  trim();
  return { registry, keeper, ids, log, losses, damaged };
}

/** Keeps what is left of damaged sessions for a person to look at, where no later host reads it. */
function setAside(damaged: readonly DamagedRecord[], folder: string): void {
  if (damaged.length > 0) makeDirectorySync(folder, 0o700);
  for (const { directory } of damaged) {
    try {
      renameSync(directory, join(folder, basename(directory)));
    } catch {
      // A full disk, or one of that name is there already: the next host tries again.
    }
  }
}

/** Delays `work`, and runs it once for all requests in between. */
function soonOnce(work: () => void, alarm: Alarm): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    alarm(TRIM_AFTER_MS, () => {
      isDue = false;
      work();
    });
  };
}
