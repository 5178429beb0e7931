/** openSession(): options, defaults, start. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ShellError } from "../base/errors.ts";
import { nextSessionId } from "../base/ids.ts";
import {
  DEFAULT_JOURNAL_BYTES,
  DEFAULT_SIZE,
  DEFAULT_SPILL_BYTES,
  DRAIN_BYTES,
  MAX_NAME_LENGTH,
} from "../base/limits.ts";
import { requireInteger } from "../base/range.ts";
import type { TerminalSize } from "../pty/open-pty.ts";
import { defaultEnv, defaultShell } from "../transport/child-env.ts";
import { localTransport } from "../transport/local.ts";
import type { Transport } from "../transport/transport.ts";
import { requireSize, Session } from "./session.ts";
import { Spill } from "./spill.ts";

/** A program by name or path, looked up in the PATH that it will have. */
interface ProgramOptions {
  readonly program: string;
  readonly args?: readonly string[];
}

/** One line for a shell. */
interface CommandOptions {
  readonly command: string;
  /** Default: the user's own shell where it is a known one, else /bin/bash. */
  readonly shell?: string;
  /** Read the user's profile first. Default false. */
  readonly login?: boolean;
}

interface CommonOptions {
  /** Default: ours. */
  readonly cwd?: string;
  /** Exactly these variables. Default: an allow-listed copy of ours with TERM=xterm-256color and the session's id. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default 80 × 24. */
  readonly size?: TerminalSize;
  /** False: plain pipes, with stdout and stderr told apart. Default true. */
  readonly tty?: boolean;
  readonly name?: string;
  /** Output kept in memory. Default 1 MiB. */
  readonly journalBytes?: number;
  /** What happens when output comes faster than it is read: drop the oldest and count it (default), or hold the program up. */
  readonly onFlood?: "drop" | "block";
  /** Keeps all output on disk too, in a directory of its own inside this one. */
  readonly stateDirectory?: string;
  /** Output kept on disk. Default 64 MiB. */
  readonly spillBytes?: number;
  /** Where the program runs. Default: this machine. */
  readonly transport?: Transport;
}

export type OpenOptions = CommonOptions & (ProgramOptions | CommandOptions);

const MIN_JOURNAL_BYTES = 4096;
const MAX_JOURNAL_BYTES = 1024 * 1024 * 1024;
const MIN_SPILL_BYTES = 1024 * 1024;
const MAX_SPILL_BYTES = 64 * 1024 * 1024 * 1024;

/** Starts a program and keeps it. Rejects with what prevented the start; then nothing is left behind. */
export async function openSession(options: OpenOptions): Promise<Session> {
  const { tty = true, size = DEFAULT_SIZE, onFlood = "drop", cwd = process.cwd() } = options;
  const { journalBytes = DEFAULT_JOURNAL_BYTES, transport = localTransport } = options;
  requireSize(size);
  if (options.name !== undefined) requireName(options.name);
  requireInteger("journalBytes", journalBytes, { min: minJournalBytes(onFlood), max: MAX_JOURNAL_BYTES });
  const { program, args } = programOf(options);
  const id = nextSessionId();
  const mark = randomBytes(16).toString("hex");
  const env = options.env ?? defaultEnv({ id, mark });
  return await Session.open({
    id,
    name: options.name,
    program,
    args,
    cwd,
    tty,
    size,
    journalBytes,
    onFlood,
    spill: spillOf(options, `${id}-${mark.slice(0, 8)}`),
    openChannel: (onOutput) => transport.open({ program, args, cwd, env, size, tty, onOutput }),
  });
}

function programOf(options: OpenOptions): { readonly program: string; readonly args: readonly string[] } {
  if ("program" in options) {
    if ("command" in options)
      throw new ShellError("BAD_OPTION", "Both program and command are given. Give one of them.");
    return { program: options.program, args: options.args ?? [] };
  }
  if (typeof options.command !== "string")
    throw new ShellError("BAD_OPTION", "Neither program nor command is given. Give one of them.");
  return { program: options.shell ?? defaultShell(), args: [options.login ? "-lc" : "-c", options.command] };
}

/** Names stand where ids may stand, so they must not look like one. */
export function requireName(name: string): void {
  const isShown = name.length > 0 && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name) && name.trim() === name;
  if (isShown && !/^\d+$/.test(name)) return;
  throw new ShellError(
    "BAD_OPTION",
    `The name ${JSON.stringify(name)} cannot be used. Give 1 to ${MAX_NAME_LENGTH} visible characters, not only digits.`,
  );
}

/** A held-up program's last output arrives all at once, and must find room. */
function minJournalBytes(onFlood: "drop" | "block"): number {
  return onFlood === "block" ? 4 * DRAIN_BYTES : MIN_JOURNAL_BYTES;
}

function spillOf({ stateDirectory, spillBytes = DEFAULT_SPILL_BYTES }: CommonOptions, name: string): Spill | undefined {
  if (stateDirectory === undefined) return undefined;
  requireInteger("spillBytes", spillBytes, { min: MIN_SPILL_BYTES, max: MAX_SPILL_BYTES });
  return new Spill({ directory: join(stateDirectory, "sessions", name), maxBytes: spillBytes });
}
