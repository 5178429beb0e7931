/** Starts a shell and prepares it for commands. */
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lazy } from "../base/async/lazy.ts";
import { untilAborted } from "../base/async/until-aborted.ts";
import { withTimeout } from "../base/async/with-timeout.ts";
import { MAX_SHELL_START_MS, SHELL_ANSWER_MS, SHELL_START_MS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { requireEnv } from "../base/require-env.ts";
import { requireInteger } from "../base/require-integer.ts";
import type { OpenOptions } from "../session/open/open-options.ts";
import { openSession } from "../session/open/open-session.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import { defaultShell, fallbackShell } from "../transport/env/child-env.ts";
import { ash } from "./dialects/ash.ts";
import { bash } from "./dialects/bash.ts";
import type { Dialect, StartFiles } from "./dialects/dialect.ts";
import { posix } from "./dialects/posix.ts";
import { zsh } from "./dialects/zsh.ts";
import { Framer } from "./frame/framer.ts";
import { sweepShellFiles } from "./frame/sweep-shell-files.ts";
import { Shell } from "./shell.ts";

type SessionOptions = Pick<
  OpenOptions,
  | "cwd"
  | "env"
  | "inheritEnv"
  | "size"
  | "name"
  | "journalBytes"
  | "onFlood"
  | "stateDirectory"
  | "diskBytes"
  | "transport"
>;

/** Which shell, and how its session is opened. */
export interface ShellOptions extends SessionOptions {
  /**
   * A name or a path: bash, zsh, dash, sh or ash (busybox). Default: the user's shell if it is one of these, otherwise
   * /bin/bash, and /bin/sh where there is no bash.
   */
  readonly shell?: string;
  /** Which of the user's files it reads first. Default "none". */
  readonly startFiles?: StartFiles;
  /** The longest time the start may take, 1 to 600,000, before it rejects with `SHELL_NOT_READY`. Default 20,000. */
  readonly deadlineMs?: number;
  /** Aborts the start: rejects with its reason and ends the session. Ignored once the shell is open. */
  readonly signal?: AbortSignal;
  /** Opens the session, for example in a registry. Default: `openSession`. */
  readonly open?: (options: OpenOptions) => Promise<Session>;
}

/** A pager would wait for keys, and our lines do not belong in a history file. */
const ENVIRONMENT = {
  HISTFILE: "",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "",
  LESS: "-FRX",
} as const;

const DIALECTS: readonly Dialect[] = [bash, zsh, posix, ash];
const BUSYBOX_SHELL = "/bin/ash";
/** A program in the start files may read what we type. */
const TRIES = 3;
const POLL_MS = 2;
const SHOWN_CHARACTERS = 400;
const sweepOnce = lazy(sweepShellFiles);

/**
 * Starts an interactive shell in a terminal and prepares it, so that each command has a structured result. Rejects with
 * `SHELL_UNKNOWN` for a shell that limpet cannot prepare, with `SHELL_NOT_READY` if it does not become ready, and with
 * `SESSION_ENDED` if it was closed in the meantime.
 */
export async function openShell(options: ShellOptions = {}): Promise<Shell> {
  const { shell = ownShell(), startFiles = "none", open = openSession, env, inheritEnv = true, ...others } = options;
  const { deadlineMs = SHELL_START_MS, signal, ...rest } = others;
  requireInteger("deadlineMs", deadlineMs, { min: 1, max: MAX_SHELL_START_MS });
  requireEnv(env);
  signal?.throwIfAborted();
  void sweepOnce();
  const giveUpMs = performance.now() + deadlineMs;
  const dialect = dialectOf(shell);
  const framer = new Framer(dialect);
  const isBusybox = basename(shell) === "busybox";
  const session = await open({
    ...rest,
    program: shell,
    args: [...(isBusybox ? ["ash"] : []), ...dialect.args({ startFiles })],
    inheritEnv,
    env: { ...(inheritEnv ? ENVIRONMENT : {}), ...env },
    outputFilter: framer.filter,
  });
  try {
    internalsOf(session).finishes.prepare();
    framer.attach(session);
    await prepare(session, framer, { giveUpMs, signal });
    return new Shell(session, framer);
  } catch (error) {
    await session.discard({ force: true });
    throw error;
  }
}

function ownShell(): string {
  const own = defaultShell();
  const shell = isKnown(own) ? own : fallbackShell();
  return isBusybox(shell) ? BUSYBOX_SHELL : shell;
}

/** The `sh` of small systems is prepared in another way than that of others. */
function isBusybox(shell: string): boolean {
  try {
    return basename(realpathSync(shell)) === "busybox";
  } catch {
    return false;
  }
}

function isKnown(shell: string): boolean {
  return DIALECTS.some(({ names }) => names.includes(basename(shell)));
}

function dialectOf(shell: string): Dialect {
  const found = DIALECTS.find(({ names }) => names.includes(basename(shell)));
  if (found) return found;
  const known = DIALECTS.flatMap(({ names }) => names).join(", ");
  throw new LimpetError(
    "SHELL_UNKNOWN",
    `${JSON.stringify(shell)} is not a supported shell (supported: ${known}). Use one of these, or run it as a program with openSession.`,
  );
}

interface StartBound {
  readonly giveUpMs: number;
  readonly signal: AbortSignal | undefined;
}

async function prepare(session: Session, framer: Framer, { giveUpMs, signal }: StartBound): Promise<void> {
  const isOver = () => session.exit !== undefined || session.closeReason !== undefined || performance.now() >= giveUpMs;
  for (let tries = 0; tries < TRIES; tries += 1) {
    while (!isOver() && framer.prompts.observeRead() === "none") {
      signal?.throwIfAborted();
      await sleep(POLL_MS);
    }
    signal?.throwIfAborted();
    if (isOver()) break;
    const frame = await framer.start({ command: undefined });
    const answerMs = Math.min(SHELL_ANSWER_MS, Math.max(1, giveUpMs - performance.now()));
    await withTimeout(answerMs, untilAborted(frame.done, signal));
    if (session.closeReason !== undefined) break;
    if (frame.end && !session.exit) return;
  }
  if (session.closeReason !== undefined) {
    throw new LimpetError(
      "SESSION_ENDED",
      `Session ${session.id} was closed while its shell started. Open another shell if you still need one.`,
    );
  }
  const printed = framer.filter.dropped.slice(-SHOWN_CHARACTERS);
  const state = session.exit ? "ended before it was ready" : "did not get ready for commands";
  throw new LimpetError(
    "SHELL_NOT_READY",
    `${session.program} ${state}; it printed ${JSON.stringify(printed)}. Open it with startFiles "none", or check these files.`,
  );
}
