/** Starts a shell and prepares it. */
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ShellError } from "../base/errors.ts";
import { SHELL_ANSWER_MS, SHELL_START_MS } from "../base/limits.ts";
import { within } from "../base/within.ts";
import { type OpenOptions, openSession } from "../session/open.ts";
import type { Session } from "../session/session.ts";
import { defaultShell } from "../transport/child-env.ts";
import { ash } from "./dialects/ash.ts";
import { bash } from "./dialects/bash.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { posix } from "./dialects/posix.ts";
import { zsh } from "./dialects/zsh.ts";
import { Framer } from "./framer.ts";
import { Shell } from "./shell.ts";

type SessionOptions = Pick<
  OpenOptions,
  | "cwd"
  | "env"
  | "extraEnv"
  | "size"
  | "name"
  | "journalBytes"
  | "onFlood"
  | "stateDirectory"
  | "spillBytes"
  | "transport"
>;

/** Which shell, and how its session is opened. */
export interface ShellOptions extends SessionOptions {
  /** A name or a path: bash, zsh, dash, sh or ash (busybox). Default: the user's own where it is one of these, else /bin/bash. */
  readonly shell?: string;
  /** Read the user's own start files. Default false. */
  readonly login?: boolean;
  /** Opens the session, for those who keep sessions in a registry. Default: `openSession`. */
  readonly open?: (options: OpenOptions) => Promise<Session>;
}

/** Nobody is there to press a key in a pager, and what we type belongs into nobody's history. */
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
const FALLBACK_SHELL = "/bin/bash";
/** Something in the start files may have taken what we typed. */
const TRIES = 3;
const LOOK_EVERY_MS = 2;
const SHOWN_CHARACTERS = 400;

/**
 * Starts an interactive shell in a terminal and prepares it, so that each command has a structured result. Rejects with
 * `SHELL_UNKNOWN` for a shell that cannot be prepared, and with `SHELL_NOT_READY` for one that does not get ready.
 */
export async function openShell(options: ShellOptions = {}): Promise<Shell> {
  const { shell = ownShell(), login = false, open = openSession, env, extraEnv, ...rest } = options;
  const dialect = dialectOf(shell);
  const framer = new Framer(dialect);
  const isBusybox = basename(shell) === "busybox";
  const session = await open({
    ...rest,
    program: shell,
    args: [...(isBusybox ? ["ash"] : []), ...dialect.args({ login })],
    ...(env ? { env } : { extraEnv: { ...ENVIRONMENT, ...extraEnv } }),
    outputFilter: framer.filter,
  });
  try {
    framer.attach(session);
    await prepare(session, framer);
    return new Shell(session, framer);
  } catch (error) {
    await session.discard({ force: true });
    throw error;
  }
}

function ownShell(): string {
  const shell = defaultShell();
  return DIALECTS.some(({ names }) => names.includes(basename(shell))) ? shell : FALLBACK_SHELL;
}

function dialectOf(shell: string): Dialect {
  const found = DIALECTS.find(({ names }) => names.includes(basename(shell)));
  if (found) return found;
  const known = DIALECTS.flatMap(({ names }) => names).join(", ");
  throw new ShellError(
    "SHELL_UNKNOWN",
    `${JSON.stringify(shell)} is no shell that can be prepared (known: ${known}). Give one of these, or run it as a program with openSession.`,
  );
}

async function prepare(session: Session, framer: Framer): Promise<void> {
  const giveUpMs = performance.now() + SHELL_START_MS;
  for (let tries = 0; tries < TRIES; tries += 1) {
    while (!session.exit && !framer.isShellReading() && performance.now() < giveUpMs) await sleep(LOOK_EVERY_MS);
    if (session.exit || performance.now() >= giveUpMs) break;
    const frame = await framer.begin({ command: undefined });
    await within(SHELL_ANSWER_MS, frame.done);
    if (frame.end && !session.exit) {
      session.finishes.markTold();
      return;
    }
  }
  const printed = framer.filter.dropped.slice(-SHOWN_CHARACTERS);
  const state = session.exit ? "ended before it was ready" : "did not get ready for commands";
  throw new ShellError(
    "SHELL_NOT_READY",
    `${session.program} ${state}; it printed ${JSON.stringify(printed)}. Try without login, or look at its start files.`,
  );
}
