import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { GivenLimits } from "../../base/session-limits.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Redaction } from "../../journal/redaction/redaction.ts";
import type { Transport } from "../../transport/transport.ts";
import type { OutputFilter } from "../output-filter.ts";
import type { SessionOwner } from "../registry/resolve-session.ts";

/** What to start and how: either `program` and `args`, or `command`. */
export type OpenOptions = CommonOptions & (ProgramOptions | CommandOptions);

export interface CommonOptions {
  /** The working directory of the program. Default: that of this process. */
  readonly cwd?: string;
  /** Variables that are added to the default environment. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Start from the default environment: the variables of this process that do not look like secrets, plus
   * TERM=xterm-256color and the session's id. Default true.
   */
  readonly inheritEnv?: boolean;
  /**
   * Inherited instead of the variables of this process. Default: those of this process that do not look like secrets.
   */
  readonly baseEnv?: () => Promise<Readonly<Record<string, string>>>;
  /** The size of the terminal, 1 to 500 in each direction. Default 160 × 24. Ignored without a terminal. */
  readonly size?: TerminalSize;
  /** False: use pipes, which separate stdout and stderr. Default true. */
  readonly tty?: boolean;
  /** A name for people and for lookup: 1 to 64 visible characters, not only digits, no slash. Default: none. */
  readonly name?: string;
  /**
   * The owner of the session. In a registry, a name is unique among the live sessions of one project. Default: none.
   */
  readonly owner?: SessionOwner;
  /**
   * How much output to keep in memory: the beginning and the latest. 4 KiB to 1 GiB; at least 1 MiB with `onFlood:
   * "block"`. Default 1 MiB.
   */
  readonly journalBytes?: number;
  /**
   * What to do when output arrives faster than it is read. `drop` (default): drop the oldest and count it. `block`:
   * pause the program while the slowest reader of `output()`, or the next reader if there is none, is half of
   * `journalBytes` behind.
   */
  readonly onFlood?: "drop" | "block";
  /**
   * Also keep all output on disk, in a new directory inside this one. Missing directories are created. Default: memory
   * only.
   */
  readonly stateDirectory?: string;
  /** How much output to keep on disk, 1 MiB to 64 GiB; the oldest is dropped first. Default 64 MiB. */
  readonly diskBytes?: number;
  /** How to start the program. Default: on this machine. */
  readonly transport?: Transport;
  /**
   * What the transport allows the program, for lists and records; not without a transport, which enforces it. Default:
   * all that the user may do.
   */
  readonly sandbox?: SandboxRequest;
  /** How much the program and everything it starts may use. Default: no limits. */
  readonly limits?: GivenLimits | undefined;
  /** The variables of `env` that have the value of a secret, and the names of the secrets. Default: none. */
  readonly secretEnv?: Readonly<Record<string, string>>;
  /** What is masked in all output before it is stored. Default: nothing. */
  readonly redaction?: Redaction;
  /** False: only data that identifies the session is written to `stateDirectory`. Default true. */
  readonly diskJournal?: boolean;
  /** Removes parts of a terminal's output before it is stored. Default: none. */
  readonly outputFilter?: OutputFilter;
}

/** A program and its arguments. */
interface ProgramOptions {
  /** A name to look up in the program's PATH, or a path relative to `cwd`. */
  readonly program: string;
  /** Passed unchanged, without a shell. Default: none. */
  readonly args?: readonly string[];
}

/** One command line for a shell. */
interface CommandOptions {
  /** Run as `shell -c command`. */
  readonly command: string;
  /** Default: the user's shell if limpet knows it, otherwise /bin/bash, and /bin/sh where there is no bash. */
  readonly shell?: string;
  /** Read the user's profile first. Default false. */
  readonly login?: boolean;
}
