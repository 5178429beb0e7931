import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Disk } from "../../journal/disk/disk.ts";
import type { Session } from "../session.ts";
import type { SessionProgram } from "../session-program.ts";

/** Writes what sessions leave on disk. A host also keeps a record of each, because it may end without warning. */
export interface SessionKeeper {
  /** The disk that journals are written with. Default: Node's pool of threads. */
  readonly disk?: Disk;
  /** Default: ids that are unique in this process. */
  takeId?(): number;
  opening?(opening: OpeningSession): void;
  opened?(opening: OpeningSession, session: Session): void;
  notOpened?(opening: OpeningSession): void;
}

/** What is known about a session before it starts. */
export interface OpeningSession extends SessionProgram {
  readonly size: TerminalSize;
  /** The mark in the environment of all its processes. */
  readonly mark: string;
  /** The directory of its journal; undefined if it is in memory only. */
  readonly directory: string | undefined;
}
