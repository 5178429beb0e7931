/** Starts programs in this process, which end with it. */

import { lazy } from "../base/async/lazy.ts";
import { LocalService } from "../service/local-service.ts";
import { SessionRegistry } from "../session/registry/session-registry.ts";
import type { CommandResult } from "./run-command.ts";
import type { Session } from "./session.ts";
import type { Shell, ShellOptions } from "./shell.ts";
import { type OpenOptions, type ProgramOptions, type RunOptions, Terminals } from "./terminals.ts";

/** More than a machine has terminals. Use your own registry for a lower limit. */
const MAX_SESSIONS = 65_536;

const terminals = lazy(() => new Terminals(new LocalService(new SessionRegistry({ maxSessions: MAX_SESSIONS }))));

/**
 * Starts a program in its own terminal and keeps it until you close it. A string is a command line for the user's
 * shell; `{ program, args }` needs no shell. Resolves when the program runs, before it has printed anything.
 */
export async function open(what: string | ProgramOptions, options: OpenOptions = {}): Promise<Session> {
  return await terminals().open(what, options);
}

/**
 * Runs one command and resolves when it has ended. The command runs on pipes without input, unless you pass `input` or
 * `tty`. limpet ends everything that the command started. A non-zero exit code is a result, not an error.
 */
export async function run(command: string, options: RunOptions = {}): Promise<CommandResult> {
  return await terminals().run(command, options);
}

/** Starts a persistent shell: directory, variables and functions stay for the next command. */
export async function openShell(options: ShellOptions = {}): Promise<Shell> {
  return await terminals().openShell(options);
}
