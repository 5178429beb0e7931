/** Opens a session: checks the options, applies the defaults, starts the program. */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  DEFAULT_DISK_BYTES,
  DEFAULT_JOURNAL_BYTES,
  DEFAULT_SIZE,
  DRAIN_BYTES,
  MAX_NAME_LENGTH,
} from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { requireEnv, wrongType } from "../base/require-env.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import { type GivenLimits, givenLimits } from "../base/session-limits.ts";
import { requireSize, type TerminalSize } from "../base/terminal-size.ts";
import { workingDirectory } from "../base/working-directory.ts";
import type { Disk } from "../journal/disk/disk.ts";
import { DiskJournal } from "../journal/disk/disk-journal.ts";
import type { Redaction } from "../journal/redaction.ts";
import { makeVisible } from "../text/clean/make-visible.ts";
import { quoteLine } from "../text/clean/quote-line.ts";
import { defaultEnv, defaultShell } from "../transport/child-env.ts";
import { localTransport } from "../transport/local-transport.ts";
import type { Transport } from "../transport/transport.ts";
import type { OutputFilter } from "./output-filter.ts";
import type { SessionOwner } from "./resolve-session.ts";
import type { Session } from "./session.ts";
import type { SessionProgram } from "./session-program.ts";
import { startSession } from "./start-session.ts";

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

interface CommonOptions {
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
  /** A name for people and for lookup: 1 to 64 visible characters, not only digits. Default: none. */
  readonly name?: string;
  /** To whom it belongs: in a registry, a name is unique among the live sessions of one project. Default: nobody. */
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
  /** What the transport allows the program, for lists and records. Default: all that the user may do. */
  readonly sandbox?: SandboxRequest;
  /** How much the program and everything it starts may use. Default: no limits. */
  readonly limits?: GivenLimits | undefined;
  /** The variables of `env` that have the value of a secret, and the names of the secrets. Default: none. */
  readonly secretEnv?: Readonly<Record<string, string>>;
  /** What is masked in all output before it is stored. Default: nothing. */
  readonly redaction?: Redaction;
  /** False: nothing is written to `stateDirectory` but what identifies the session. Default true. */
  readonly diskJournal?: boolean;
  /** Removes parts of a terminal's output before it is stored. Default: none. */
  readonly outputFilter?: OutputFilter;
}

/** What to start and how: either `program` and `args`, or `command`. */
export type OpenOptions = CommonOptions & (ProgramOptions | CommandOptions);

const MIN_JOURNAL_BYTES = 4096;
const MAX_JOURNAL_BYTES = 1024 * 1024 * 1024;
const MIN_DISK_BYTES = 1024 * 1024;
const MAX_DISK_BYTES = 64 * 1024 * 1024 * 1024;

/** The last id that was assigned: positive integers, never reused in one process. */
let lastId = 0;

/**
 * Starts a program in its own terminal (or on pipes) and keeps it until it is closed. Resolves when the program runs,
 * before it has printed anything. Rejects if the program cannot be started; then nothing is left behind.
 */
export async function openSession(options: OpenOptions): Promise<Session> {
  return await openWithKeeper(options);
}

/** What is known about a session before it starts. */
export interface OpeningSession extends SessionProgram {
  readonly size: TerminalSize;
  /** The mark in the environment of all its processes. */
  readonly mark: string;
  /** The directory of its journal; undefined if it is in memory only. */
  readonly directory: string | undefined;
}

/** Keeps a record of sessions that survives this process, which may end without warning. */
export interface SessionKeeper {
  /** What journals are written with. Default: Node's pool of threads. */
  readonly disk?: Disk;
  takeId(): number;
  opening(opening: OpeningSession): void;
  opened(opening: OpeningSession, session: Session): void;
  notOpened(opening: OpeningSession): void;
}

/** Like `openSession`, with a keeper that records the session. */
export async function openWithKeeper(options: OpenOptions, keeper?: SessionKeeper): Promise<Session> {
  const id = takeSessionId(keeper);
  try {
    return await openAs(id, options, keeper);
  } catch (error) {
    throw withSessionId(error, id);
  }
}

/** Ids are never used twice, also not those of sessions that could not be started. */
export function takeSessionId(keeper: SessionKeeper | undefined): number {
  return keeper?.takeId() ?? nextId();
}

/** The same error, with the id that the session would have got. */
export function withSessionId(error: unknown, sessionId: number): unknown {
  if (!(error instanceof LimpetError)) return error;
  return new LimpetError(error.code, error.message, { cause: error.cause ?? error, sessionId });
}

async function openAs(id: number, options: OpenOptions, keeper: SessionKeeper | undefined): Promise<Session> {
  const { tty = true, size = DEFAULT_SIZE, onFlood = "drop", cwd = workingDirectory() } = options;
  const { journalBytes = DEFAULT_JOURNAL_BYTES, transport = localTransport } = options;
  requireSize(size);
  if (options.name !== undefined) requireName(options.name);
  requireInteger("journalBytes", journalBytes, { min: minJournalBytes(onFlood), max: MAX_JOURNAL_BYTES });
  const { program, args } = programOf(options);
  requireTexts({ program, cwd, args, env: options.env });
  const base = await options.baseEnv?.();
  const mark = randomBytes(16).toString("hex");
  const { inheritEnv = true } = options;
  const env = { ...(inheritEnv ? defaultEnv({ id, mark }, base) : {}), ...options.env };
  const directory = journalDirectory(options, `${id}-${mark.slice(0, 8)}`);
  const { name, owner, sandbox, secretEnv } = options;
  const limits = givenLimits(options.limits);
  const secrets = secretEnv ? { secretEnv } : {};
  const opening = { id, name, owner, program, args, cwd, tty, sandbox, limits, ...secrets, size, mark, directory };
  keeper?.opening(opening);
  try {
    const session = await startSession({
      ...opening,
      journalBytes,
      onFlood,
      outputFilter: options.outputFilter,
      redaction: options.redaction,
      disk:
        directory === undefined || options.diskJournal === false
          ? undefined
          : diskJournalOf(options, directory, keeper?.disk),
      openChannel: (onOutput) => transport.open({ program, args, cwd, env, size, tty, limits, onOutput }),
    });
    keeper?.opened(opening, session);
    return session;
  } catch (error) {
    keeper?.notOpened(opening);
    throw error;
  }
}

function programOf(options: OpenOptions): { readonly program: string; readonly args: readonly string[] } {
  if ("program" in options) {
    if ("command" in options)
      throw new LimpetError("BAD_OPTION", "program and command are both set. Pass only one of them.");
    return { program: options.program, args: options.args ?? [] };
  }
  if (typeof options.command !== "string")
    throw new LimpetError("BAD_OPTION", "program and command are both missing. Pass one of them.");
  return { program: options.shell ?? defaultShell(), args: [options.login ? "-lc" : "-c", options.command] };
}

interface Texts {
  readonly program: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>> | undefined;
}

/** Callers without a compiler may pass any type, and libc would not say which value is wrong. */
function requireTexts({ program, cwd, args, env }: Texts): void {
  if (!Array.isArray(args)) throw wrongType("args", args, "an array of strings");
  requireEnv(env);
  const texts: readonly (readonly [string, unknown])[] = [
    ["program", program],
    ["cwd", cwd],
    ...args.map((value, index) => [`args[${index}]`, value] as const),
  ];
  const wrong = texts.find(([, value]) => typeof value !== "string");
  if (wrong) throw wrongType(wrong[0], wrong[1], "a string");
}

/** Names are accepted in place of ids, so a name must not look like an id. */
export function requireName(name: string): void {
  const isVisible = makeVisible(name) === name && name.trim() === name && !/[\t\n]/.test(name);
  const isShown = name.length > 0 && name.length <= MAX_NAME_LENGTH && isVisible;
  if (isShown && !/^\d+$/.test(name)) return;
  throw new LimpetError(
    "BAD_OPTION",
    `name must be 1 to ${MAX_NAME_LENGTH} visible characters, not only digits (got ${quoteLine(name)}). Pass another name.`,
  );
}

/** The last output of a paused program arrives all at once and must fit. */
function minJournalBytes(onFlood: "drop" | "block"): number {
  return onFlood === "block" ? 4 * DRAIN_BYTES : MIN_JOURNAL_BYTES;
}

function nextId(): number {
  lastId += 1;
  return lastId;
}

function journalDirectory({ stateDirectory }: CommonOptions, name: string): string | undefined {
  return stateDirectory === undefined ? undefined : join(stateDirectory, "sessions", name);
}

function diskJournalOf(
  { diskBytes = DEFAULT_DISK_BYTES }: CommonOptions,
  directory: string,
  disk: Disk | undefined,
): DiskJournal {
  requireInteger("diskBytes", diskBytes, { min: MIN_DISK_BYTES, max: MAX_DISK_BYTES });
  return new DiskJournal({ directory, maxBytes: diskBytes, disk });
}
