/**
 * Writes the record of each session to disk, from before its start to its end, for the next host. Until the program has
 * run for a moment, a line in a log replaces the record: most commands end before that, and need one record instead of
 * four.
 */
import { rmSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { withTimeout } from "../../base/async/with-timeout.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Disk } from "../../journal/disk/disk.ts";
import type { OpeningSession, SessionKeeper } from "../../session/open/session-keeper.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";

import { keepCommands } from "./command-file.ts";
import type { IdCounter } from "./id-counter.ts";
import type { LossLedger } from "./loss-ledger.ts";
import type { OpeningLog } from "./opening-log.ts";
import { makeRecord, recordJob, type SessionRecord } from "./session-record.ts";

/** Longer than most commands take. */
const RECORD_AFTER_MS = 50;
/**
 * An agent often starts the next command as soon as it has the answer. With two processors, that program would have to
 * wait for this writing. Output is on disk after the same time.
 */
const WRITE_END_AFTER_MS = 20;

export interface HostKeeperOptions {
  readonly ids: IdCounter;
  readonly log: OpeningLog;
  readonly losses: LossLedger;
  readonly boot: string;
  readonly disk: Disk;
  /** Called when a program has ended. */
  readonly onExited: () => void;
  /** Masks secrets in what is written. */
  readonly redact: <T>(data: T) => T;
  /** Called when a session has ended and its record is written. */
  readonly onEnded: () => void;
}

export class HostKeeper implements SessionKeeper {
  readonly disk: Disk;
  readonly #options: HostKeeperOptions;
  readonly #ending = new Set<Promise<void>>();
  readonly #opening = new Map<OpeningSession, Deferred<void>>();
  /** Ends the pauses before the ends of sessions are written. */
  readonly #pauses = new Set<() => void>();
  #isStopping = false;

  constructor(options: HostKeeperOptions) {
    this.#options = options;
    this.disk = options.disk;
  }

  /** A session needs its id first: if this throws, nothing was started. */
  takeId(): number {
    if (this.#isStopping) throw stopping();
    return this.#options.ids.take();
  }

  /** Refuses new sessions from now on, because nothing would end them. */
  stopOpening(): void {
    this.#isStopping = true;
    for (const end of this.#pauses) end();
  }

  /** Resolves when all sessions that are being opened are in the registry or have failed. */
  async allOpened(): Promise<void> {
    await Promise.all([...this.#opening.values()].map(({ promise }) => promise));
    // The registry adds a session after it calls this keeper, in the same tick.
    await nextTurn();
  }

  opening(opening: OpeningSession): void {
    this.#opening.set(opening, deferred<void>());
    const { directory } = opening;
    if (directory !== undefined) this.#note(directory, this.#recordOf(opening));
  }

  notOpened(opening: OpeningSession): void {
    this.#settleOpening(opening);
    const { directory } = opening;
    if (directory === undefined) return;
    this.#options.log.settle(directory);
    attempt(() => rmSync(directory, { recursive: true, force: true }));
  }

  opened(opening: OpeningSession, session: Session): void {
    this.#settleOpening(opening);
    const { directory } = opening;
    if (directory === undefined) return;
    const started = {
      ...this.#recordOf(opening),
      startedAt: session.startedAt,
      trace: internalsOf(session).channel.trace ?? null,
    };
    this.#note(directory, started);
    internalsOf(session).store.onLoss((health, end) => this.#options.losses.note(directory, { health, end }));
    const ending = this.#follow(session, directory, started);
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }

  /** Resolves when the records of all ended sessions are written. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #settleOpening(opening: OpeningSession): void {
    this.#opening.get(opening)?.resolve();
    this.#opening.delete(opening);
  }

  #note(directory: string, record: SessionRecord): void {
    const redacted = this.#options.redact(record);
    if (!this.#options.log.note(directory, redacted)) attempt(() => makeRecord(directory, redacted));
  }

  async #follow(session: Session, directory: string, started: SessionRecord): Promise<void> {
    const internals = internalsOf(session);
    let lastKeep = Promise.resolve();
    // One at a time.
    const keep = (record: SessionRecord) => {
      lastKeep = lastKeep.then(() => this.#keep(session, directory, withPresent(record, session)));
      return lastKeep;
    };
    if (!(await withTimeout(RECORD_AFTER_MS, session.exited))) {
      // A shell of the next host starts where this one was last.
      internals.finishes.onMoved(() => void (session.exit ?? keep(started)));
      internals.onRenamed = () => void keep(started);
      await keep(started);
      keepCommands(session, directory, this.#options.redact);
    }
    const exit = await session.exited;
    this.#options.onExited();
    await this.#pause();
    // The record must not report the exit before the output is on disk.
    await session.flush();
    if (session.phase !== "ended") await keep({ ...started, exit, size: session.size });
    await session.ended;
    await session.flush();
    await keep({ ...started, exit, size: session.size, end: session.endCursor });
    this.#options.onEnded();
  }

  async #pause(): Promise<void> {
    if (this.#isStopping) return await nextTurn();
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, WRITE_END_AFTER_MS);
      this.#pauses.add(end);
    });
  }

  /** The session may be deleted meanwhile, and then nothing of it must stay. */
  async #keep(session: Session, directory: string, record: SessionRecord): Promise<void> {
    const { log, redact } = this.#options;
    const { store } = internalsOf(session);
    try {
      const job = recordJob(directory, redact(record), { isNew: log.has(directory) });
      if (!store.isDiscarded) await this.disk.run(job);
      if (store.isDiscarded) await this.disk.run({ kind: "remove", path: directory });
    } catch {
      // A disk that cannot be written does not keep a session from running; its journal reports it.
    }
    log.settle(directory);
  }

  #recordOf({ directory: _directory, name, ...opening }: OpeningSession): SessionRecord {
    return {
      ...opening,
      name: name ?? null,
      boot: this.#options.boot,
      startedAt: Date.now(),
      trace: null,
      exit: null,
      lost: false,
      end: null,
    };
  }
}

/** What may have changed since the start. */
function withPresent(record: SessionRecord, session: Session): SessionRecord {
  return { ...record, name: session.name ?? null, directory: internalsOf(session).finishes.directory };
}

function stopping(): LimpetError {
  const next = "Call again in a moment: this starts a new host, which lists the previous sessions.";
  return new LimpetError("HOST_GONE", `The host is ending and starts no more sessions. ${next}`);
}

/** A failing disk must not stop a session. The journal reports it. */
function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // The journal reports the failing disk.
  }
}
