/** openSession(): options, defaults, start. */

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
import { requireInteger } from "../base/require-integer.ts";
import { requireSize, type TerminalSize } from "../base/terminal-size.ts";
import { workingDirectory } from "../base/working-directory.ts";
import { DiskJournal } from "../journal/disk-journal.ts";
import { defaultEnv, defaultShell } from "../transport/child-env.ts";
import { localTransport } from "../transport/local-transport.ts";
import type { Transport } from "../transport/transport.ts";
import type { OutputFilter } from "./output-filter.ts";
import type { Session } from "./session.ts";
import type { SessionProgram } from "./session-program.ts";
import { startSession } from "./start-session.ts";

/** A program and its arguments. */
interface ProgramOptions {
  /** A name, looked up in the PATH that the program will have, or a path, relative to `cwd`. */
  readonly program: string;
  /** Passed as they are; no shell sees them. Default: none. */
  readonly args?: readonly string[];
}

/** One line for a shell. */
interface CommandOptions {
  /** Run as `shell -c command`. */
  readonly command: string;
  /** Default: the user's own shell where it is a known one, else /bin/bash. */
  readonly shell?: string;
  /** Read the user's profile first. Default false. */
  readonly login?: boolean;
}

interface CommonOptions {
  /** Where the program starts. Default: the working directory of this process. */
  readonly cwd?: string;
  /** Variables to add to the default environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Start from the default environment: an allow-listed copy of ours with TERM=xterm-256color and the session's id. Default true. */
  readonly inheritEnv?: boolean;
  /** Of the terminal, 1 to 500 each way. Default 80 × 24. Means nothing without a terminal. */
  readonly size?: TerminalSize;
  /** False: plain pipes, with stdout and stderr told apart. Default true. */
  readonly tty?: boolean;
  /** For people and for the registry: 1 to 64 visible characters, not only digits. Default: none. */
  readonly name?: string;
  /** Output kept in memory: the beginning and the latest. 4 KiB to 1 GiB, with `onFlood: "block"` at least 1 MiB. Default 1 MiB. */
  readonly journalBytes?: number;
  /**
   * What happens when output comes faster than it is read: drop the oldest and count it (default), or hold the program up
   * as soon as the slowest reader of `output()`, or the next one where there is none, is half of `journalBytes` behind.
   */
  readonly onFlood?: "drop" | "block";
  /** Keeps all output on disk too, in a directory of its own inside this one, which is made if need be. Default: memory only. */
  readonly stateDirectory?: string;
  /** Output kept on disk, 1 MiB to 64 GiB; the oldest makes room. Default 64 MiB. */
  readonly spillBytes?: number;
  /** Where the program runs. Default: this machine. */
  readonly transport?: Transport;
  /** Takes out of a terminal's output what nobody is to see, before it is kept. Default: nothing. */
  readonly outputFilter?: OutputFilter;
}

/** What to start, and how: either `program` and `args`, or `command`. */
export type OpenOptions = CommonOptions & (ProgramOptions | CommandOptions);

const MIN_JOURNAL_BYTES = 4096;
const MAX_JOURNAL_BYTES = 1024 * 1024 * 1024;
const MIN_SPILL_BYTES = 1024 * 1024;
const MAX_SPILL_BYTES = 64 * 1024 * 1024 * 1024;

/** The last id given out: positive integers, never used twice in one process. */
let lastId = 0;

/**
 * Starts a program in a terminal of its own (or on pipes) and keeps it until it is closed. Resolves when the program
 * runs, before it has printed anything. Rejects with what prevented the start; then nothing is left behind.
 */
export async function openSession(options: OpenOptions): Promise<Session> {
  return await openKept(options);
}

/** What is known of a session before anything of it runs. */
export interface OpeningSession extends SessionProgram {
  readonly size: TerminalSize;
  /** In the environment of all that it starts. */
  readonly mark: string;
  /** Where its journal will be; undefined where it is in memory only. */
  readonly directory: string | undefined;
}

/** Keeps account of sessions for a time after this process, which may end without a word. */
export interface SessionKeeper {
  takeId(): number;
  opening(opening: OpeningSession): void;
  opened(opening: OpeningSession, session: Session): void;
  notOpened(opening: OpeningSession): void;
}

/** Like `openSession`, with somebody who keeps account of it. */
export async function openKept(options: OpenOptions, keeper?: SessionKeeper): Promise<Session> {
  const { tty = true, size = DEFAULT_SIZE, onFlood = "drop", cwd = workingDirectory() } = options;
  const { journalBytes = DEFAULT_JOURNAL_BYTES, transport = localTransport } = options;
  requireSize(size);
  if (options.name !== undefined) requireName(options.name);
  requireInteger("journalBytes", journalBytes, { min: minJournalBytes(onFlood), max: MAX_JOURNAL_BYTES });
  const { program, args } = programOf(options);
  requireTexts({ program, cwd, args, env: options.env });
  const id = keeper?.takeId() ?? nextId();
  const mark = randomBytes(16).toString("hex");
  const { inheritEnv = true } = options;
  const env = { ...(inheritEnv ? defaultEnv({ id, mark }) : {}), ...options.env };
  const directory = spillDirectory(options, `${id}-${mark.slice(0, 8)}`);
  const opening = { id, name: options.name, program, args, cwd, tty, size, mark, directory };
  keeper?.opening(opening);
  try {
    const session = await startSession({
      ...opening,
      journalBytes,
      onFlood,
      outputFilter: options.outputFilter,
      disk: directory === undefined ? undefined : diskJournalOf(options, directory),
      openChannel: (onOutput) => transport.open({ program, args, cwd, env, size, tty, onOutput }),
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
      throw new LimpetError("BAD_OPTION", "Both program and command are given. Give one of them.");
    return { program: options.program, args: options.args ?? [] };
  }
  if (typeof options.command !== "string")
    throw new LimpetError("BAD_OPTION", "Neither program nor command is given. Give one of them.");
  return { program: options.shell ?? defaultShell(), args: [options.login ? "-lc" : "-c", options.command] };
}

interface Texts {
  readonly program: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>> | undefined;
}

/** Callers without a compiler pass all sorts of things; the C library would not say which one it was. */
function requireTexts({ program, cwd, args, env = {} }: Texts): void {
  if (!Array.isArray(args)) throw wrongType("args", args, "an array of strings");
  if (typeof env !== "object" || env === null || Array.isArray(env)) {
    throw wrongType("env", env, "an object of strings");
  }
  const texts: readonly (readonly [string, unknown])[] = [
    ["program", program],
    ["cwd", cwd],
    ...args.map((value, index) => [`args[${index}]`, value] as const),
    ...Object.entries(env).map(([name, value]) => [`env.${name}`, value] as const),
  ];
  const wrong = texts.find(([, value]) => typeof value !== "string");
  if (wrong) throw wrongType(wrong[0], wrong[1], "a string");
}

function wrongType(name: string, value: unknown, wanted: string): LimpetError {
  const got = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
  return new LimpetError("BAD_OPTION", `${name} must be ${wanted} (got ${got}). Pass one, or leave it out.`);
}

/** Names stand where ids may stand, so they must not look like one. */
function requireName(name: string): void {
  const isShown = name.length > 0 && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name) && name.trim() === name;
  if (isShown && !/^\d+$/.test(name)) return;
  throw new LimpetError(
    "BAD_OPTION",
    `The name ${JSON.stringify(name)} cannot be used. Give 1 to ${MAX_NAME_LENGTH} visible characters, not only digits.`,
  );
}

/** A held-up program's last output arrives all at once, and must find room. */
function minJournalBytes(onFlood: "drop" | "block"): number {
  return onFlood === "block" ? 4 * DRAIN_BYTES : MIN_JOURNAL_BYTES;
}

function nextId(): number {
  lastId += 1;
  return lastId;
}

function spillDirectory({ stateDirectory }: CommonOptions, name: string): string | undefined {
  return stateDirectory === undefined ? undefined : join(stateDirectory, "sessions", name);
}

function diskJournalOf({ spillBytes = DEFAULT_DISK_BYTES }: CommonOptions, directory: string): DiskJournal {
  requireInteger("spillBytes", spillBytes, { min: MIN_SPILL_BYTES, max: MAX_SPILL_BYTES });
  return new DiskJournal({ directory, maxBytes: spillBytes });
}
