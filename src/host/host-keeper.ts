/** Keeps the record of each session on disk, from before its start to its end, for the host that may come after this one. */
import { rmSync } from "node:fs";
import type { OpeningSession, SessionKeeper } from "../session/open.ts";
import type { Session } from "../session/session.ts";
import type { IdCounter } from "./id-counter.ts";
import { makeRecord, type SessionRecord, writeRecord } from "./session-record.ts";

export interface HostKeeperOptions {
  readonly ids: IdCounter;
  readonly boot: string;
  /** One has ended, and its record says so. */
  readonly onEnded: () => void;
}

export class HostKeeper implements SessionKeeper {
  readonly #options: HostKeeperOptions;
  readonly #ending = new Set<Promise<void>>();

  constructor(options: HostKeeperOptions) {
    this.#options = options;
  }

  takeId(): number {
    return this.#options.ids.take();
  }

  opening(opening: OpeningSession): void {
    const { directory } = opening;
    if (directory !== undefined) attempt(() => makeRecord(directory, this.#recordOf(opening)));
  }

  notOpened({ directory }: OpeningSession): void {
    if (directory !== undefined) attempt(() => rmSync(directory, { recursive: true, force: true }));
  }

  opened(opening: OpeningSession, session: Session): void {
    const { directory } = opening;
    if (directory === undefined) return;
    const started = { ...this.#recordOf(opening), startedAt: session.startedAt, trace: session.trace ?? null };
    attempt(() => writeRecord(directory, started));
    const ending = this.#follow(session, directory, started);
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }

  /** Resolves when the records of all that has ended say so. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }

  async #follow(session: Session, directory: string, started: SessionRecord): Promise<void> {
    const exit = await session.exited;
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

/** A disk that takes nothing does not keep a session from running; that shows in its journal. */
function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // Nothing to be done here.
  }
}
