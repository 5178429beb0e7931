/** Writes the record of each session to disk, from before its start to its end, for the next host. */
import { rmSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Deferred, deferred } from "../base/deferred.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { OpeningSession, SessionKeeper } from "../session/open-session.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { IdCounter } from "./id-counter.ts";
import { makeRecord, type SessionRecord, writeRecord } from "./session-record.ts";

export interface HostKeeperOptions {
  readonly ids: IdCounter;
  readonly boot: string;
  /** Called when a program has ended. */
  readonly onExited: () => void;
  /** Called when a session has ended and its record is written. */
  readonly onEnded: () => void;
}

export class HostKeeper implements SessionKeeper {
  readonly #options: HostKeeperOptions;
  readonly #ending = new Set<Promise<void>>();
  readonly #opening = new Map<OpeningSession, Deferred<void>>();
  #isStopping = false;

  constructor(options: HostKeeperOptions) {
    this.#options = options;
  }

  /** A session needs its id first: if this throws, nothing was started. */
  takeId(): number {
    if (this.#isStopping) throw stopping();
    return this.#options.ids.take();
  }

  /** Refuses new sessions from now on, because nothing would end them. */
  stopOpening(): void {
    this.#isStopping = true;
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
    if (directory !== undefined) attempt(() => makeRecord(directory, this.#recordOf(opening)));
  }

  notOpened(opening: OpeningSession): void {
    this.#begun(opening);
    const { directory } = opening;
    if (directory !== undefined) attempt(() => rmSync(directory, { recursive: true, force: true }));
  }

  opened(opening: OpeningSession, session: Session): void {
    this.#begun(opening);
    const { directory } = opening;
    if (directory === undefined) return;
    const started = {
      ...this.#recordOf(opening),
      startedAt: session.startedAt,
      trace: internalsOf(session).channel.trace ?? null,
    };
    attempt(() => writeRecord(directory, started));
    const ending = this.#follow(session, directory, started);
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }

  /** Resolves when the records of all ended sessions are written. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #begun(opening: OpeningSession): void {
    this.#opening.get(opening)?.resolve();
    this.#opening.delete(opening);
  }

  async #follow(session: Session, directory: string, started: SessionRecord): Promise<void> {
    const exit = await session.exited;
    this.#options.onExited();
    // The record must not report the exit before the output is on disk.
    await session.flush();
    attempt(() => writeRecord(directory, { ...started, exit, size: session.size }));
    await session.ended;
    await session.flush();
    attempt(() => writeRecord(directory, { ...started, exit, size: session.size, end: session.endCursor }));
    this.#options.onEnded();
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
