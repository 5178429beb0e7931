/** What a session is made of; `openSession` puts it together. */
import type { Exit } from "../base/exit.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { DiskJournal } from "../journal/disk-journal.ts";
import type { RestoredOutput } from "../journal/restore-journal.ts";
import type { Channel, OnOutput } from "../transport/transport.ts";
import type { OutputFilter } from "./output-filter.ts";

/** Which session it is, and what it was started with. */
export interface SessionProgram {
  /** A positive whole number, never used again in this process. */
  readonly id: number;
  readonly name: string | undefined;
  /** As given; for a `command`, the shell. */
  readonly program: string;
  readonly args: readonly string[];
  /** Where the program started; it may be elsewhere by now. */
  readonly cwd: string;
  /** False: plain pipes instead of a terminal. */
  readonly tty: boolean;
}

export interface SessionParts extends SessionProgram {
  /** Default: now. */
  readonly startedAt?: number;
  readonly size: TerminalSize;
  readonly journalBytes: number;
  readonly onFlood: "drop" | "block";
  readonly disk: DiskJournal | undefined;
  readonly outputFilter: OutputFilter | undefined;
  readonly openChannel: (onOutput: OnOutput) => Promise<Channel>;
}

/** What another process has left of a session. */
export interface FormerParts extends Omit<SessionParts, "openChannel" | "onFlood" | "outputFilter"> {
  readonly startedAt: number;
  /** Undefined where that process was gone before the program was. */
  readonly exit: Exit | undefined;
  readonly restored: RestoredOutput;
}
