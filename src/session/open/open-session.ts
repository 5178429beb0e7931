/** Opens a session: checks the options, applies the defaults, starts the program. */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DEFAULT_DISK_BYTES, DEFAULT_JOURNAL_BYTES, DEFAULT_SIZE, DRAIN_BYTES } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { requireEnv, wrongType } from "../../base/require-env.ts";
import { requireInteger } from "../../base/require-integer.ts";
import { givenLimits } from "../../base/session-limits.ts";
import { requireSize } from "../../base/terminal-size.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import type { Disk } from "../../journal/disk/disk.ts";
import { DiskJournal } from "../../journal/disk/disk-journal.ts";
import { defaultEnv, defaultShell } from "../../transport/env/child-env.ts";
import { localTransport } from "../../transport/local/local-transport.ts";
import type { Session } from "../session.ts";
import type { CommonOptions, OpenOptions } from "./open-options.ts";
import { requireName } from "./require-name.ts";
import { takeSessionId, withSessionId } from "./session-id.ts";
import type { SessionKeeper } from "./session-keeper.ts";
import { startSession } from "./start-session.ts";

const MIN_JOURNAL_BYTES = 4096;
const MAX_JOURNAL_BYTES = 1024 * 1024 * 1024;
const MIN_DISK_BYTES = 1024 * 1024;
const MAX_DISK_BYTES = 64 * 1024 * 1024 * 1024;

/**
 * Starts a program in its own terminal (or on pipes) and keeps it until it is closed. Resolves when the program runs,
 * before it has printed anything. Rejects if the program cannot be started; then nothing is left behind.
 */
export async function openSession(options: OpenOptions): Promise<Session> {
  return await openWithKeeper(options);
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

async function openAs(id: number, options: OpenOptions, keeper: SessionKeeper | undefined): Promise<Session> {
  const { tty = true, size = DEFAULT_SIZE, onFlood = "drop", cwd = workingDirectory() } = options;
  const { journalBytes = DEFAULT_JOURNAL_BYTES, transport = localTransport } = options;
  requireSize(size);
  if (options.name !== undefined) requireName(options.name);
  requireInteger("journalBytes", journalBytes, { min: minJournalBytes(onFlood), max: MAX_JOURNAL_BYTES });
  requireEnforced(options);
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
  keeper?.opening?.(opening);
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
    keeper?.opened?.(opening, session);
    return session;
  } catch (error) {
    keeper?.notOpened?.(opening);
    throw error;
  }
}

/** Here a sandbox is only a label: without a transport that enforces it, the program would have all rights. */
function requireEnforced({ sandbox, transport }: OpenOptions): void {
  if (sandbox === undefined || transport !== undefined) return;
  throw new LimpetError(
    "BAD_OPTION",
    "sandbox is set, but nothing enforces it. Pass transport: sandboxTransport(sandbox) of limpet/transport, or use open of limpet.",
  );
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

/** The last output of a paused program arrives all at once and must fit. */
function minJournalBytes(onFlood: "drop" | "block"): number {
  return onFlood === "block" ? 4 * DRAIN_BYTES : MIN_JOURNAL_BYTES;
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
