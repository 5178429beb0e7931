/** What a host begins with: the sessions of those before it, nothing of theirs left running, and ids that go on. */
import { readFileSync } from "node:fs";
import { FORMER_JOURNAL_BYTES } from "../../base/limits.ts";
import { SessionRegistry } from "../../session/session-registry.ts";
import type { Alarm } from "../alarm.ts";
import { HostKeeper } from "./host-keeper.ts";
import { IdCounter } from "./id-counter.ts";
import { killLeftovers } from "./kill-leftovers.ts";
import { restoreSessions } from "./restore-sessions.ts";
import { readRecords } from "./session-record.ts";
import type { StateDirectory } from "./state-directory.ts";
import { trimJournals } from "./trim-journals.ts";

/** Sessions may end by the hundred; looking at what they take on disk can wait. */
const TRIM_AFTER_MS = 10_000;

export interface TakeOverOptions {
  readonly maxSessions: number;
  readonly alarm: Alarm;
  /** A program has ended. */
  readonly onExited: () => void;
}

export interface TakenOver {
  readonly registry: SessionRegistry;
  readonly keeper: HostKeeper;
  readonly ids: IdCounter;
}

/** Only who holds the lock may call this: whoever wrote what is found there is gone. */
export async function takeOver(
  directory: StateDirectory,
  { maxSessions, alarm, onExited }: TakeOverOptions,
): Promise<TakenOver> {
  const sessionsDirectory = directory.file("sessions");
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  const found = readRecords(sessionsDirectory);
  const ids = new IdCounter(directory.file("last-id"), found.at(-1)?.record.id ?? 0);
  const trim = () => void trimJournals(registry, { sessionsDirectory, maxBytes: FORMER_JOURNAL_BYTES });
  const keeper = new HostKeeper({ ids, boot, onExited, onEnded: soonOnce(trim, alarm) });
  const registry = new SessionRegistry({ maxSessions, defaults: { stateDirectory: directory.path } }, keeper);
  const mayRun = found.map(({ record }) => record).filter((record) => record.boot === boot);
  if (mayRun.length > 0) await killLeftovers(mayRun);
  for (const session of await restoreSessions(found)) registry.adopt(session);
  trim();
  return { registry, keeper, ids };
}

/** However often it is asked for, once in a while. */
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
