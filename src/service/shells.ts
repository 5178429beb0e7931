/**
 * Persistent shells, by the names of their sessions. A caller that names no shell has its own default shell. A new
 * shell replaces one that has ended, under the same name, and the answer says that the state is lost.
 */

import { BoundedMap } from "../base/bounded-map.ts";
import type { Exit } from "../base/exit.ts";
import { MAX_CALLERS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { untilAborted } from "../base/until-aborted.ts";
import { requireDirectory } from "../pty/find-program.ts";
import type { Session } from "../session/session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { openShell, type ShellOptions } from "../shell/open-shell.ts";
import { prefixCommand } from "../shell/prefix-command.ts";
import type { RunResult } from "../shell/run-result.ts";
import type { Shell } from "../shell/shell.ts";
import type { CommandAnswer, RunRequest } from "./turn.ts";

/** The name that stands for the caller's own default shell. */
const DEFAULT_NAME = "default";
/** What a command gets of a wait that the start of its shell has used up: most commands end within it. */
const MIN_COMMAND_WAIT_MS = 1_000;

/** The shell for a command, and what to report about it. */
interface FoundShell {
  readonly shell: Shell;
  readonly isNew: boolean;
  readonly formerExit: Exit | null;
  readonly isWithoutStartFiles: boolean;
}

/** A command that was given to a shell, and its future result. */
interface BegunCommand {
  readonly found: FoundShell;
  readonly outcome: Promise<CommandAnswer>;
}

interface CommandRequest extends RunRequest {
  readonly caller: string;
  /** Ends the wait, never the command. */
  readonly signal: AbortSignal;
}

export class Shells {
  readonly #registry: SessionRegistry;
  readonly #shells = new WeakMap<Session, Shell>();
  /** By name. Callers that ask during the start of a shell share it. */
  readonly #starting = new Map<string, Promise<FoundShell>>();
  /** By caller. Independent agents must not share a directory and variables. */
  readonly #defaults = new BoundedMap<string, string>(MAX_CALLERS);
  /**
   * Shells whose command still runs without a waiting caller. The next command would wait for somebody to answer it.
   */
  readonly #left = new WeakSet<Shell>();

  constructor(registry: SessionRegistry) {
    this.#registry = registry;
  }

  /** Resolves when the shell is ready for the command. `admit` throws if nothing may be typed into the session now. */
  async begin(request: CommandRequest, admit: (session: Session) => void): Promise<BegunCommand> {
    // Checked before anything is started or typed.
    const command = prefixCommand(request.command, request);
    if (request.cwd !== undefined) requireDirectory(request.cwd);
    const askedMs = performance.now();
    const found = await this.#find(request);
    const waitMs = restOfWait(request.waitMs, performance.now() - askedMs);
    const outcome = this.#registry.use([found.shell.session.id], () =>
      this.#runIn(found, { ...request, command, waitMs }, admit),
    );
    return { found, outcome };
  }

  async #runIn(found: FoundShell, request: CommandRequest, admit: (session: Session) => void): Promise<CommandAnswer> {
    const { shell, ...remarks } = found;
    if (this.#left.has(shell)) await this.#requireFree(shell);
    admit(shell.session);
    const { size } = shell.session;
    if (request.cols !== undefined && request.cols !== size.cols) shell.session.resize({ ...size, cols: request.cols });
    const { timeoutMs, waitMs, maxTokens, fold, tag, stdin, signal } = request;
    const startedMs = performance.now();
    let isBegun = false;
    try {
      const result = await shell.run(request.command, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(waitMs === undefined ? {} : { deadlineMs: waitMs }),
        ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        ...(fold === undefined ? {} : { fold }),
        ...(tag === undefined ? {} : { tag }),
        ...(stdin === undefined ? {} : { stdin }),
        signal,
        onStarted: () => {
          isBegun = true;
        },
      });
      if (result.isRunning) this.#left.add(shell);
      if (result.isRunning && result.waitingFor === null) this.#keepLimit(shell, timeoutMs, startedMs);
      return { ...result, ...remarks };
    } catch (error) {
      // The command runs, but no call waits for it any more.
      if (isBegun && (await shell.state()).isBusy) {
        this.#left.add(shell);
        this.#keepLimit(shell, timeoutMs, startedMs);
      }
      throw error;
    }
  }

  /** Enforces the time limit of a command whose caller has stopped waiting. */
  #keepLimit(shell: Shell, timeoutMs: number | undefined, startedMs: number): void {
    if (timeoutMs === undefined) return;
    const leftMs = Math.max(1, Math.ceil(timeoutMs - (performance.now() - startedMs)));
    const isAsking = ({ isRunning, waitingFor }: RunResult) => isRunning && waitingFor !== null;
    void shell.wait({ timeoutMs: leftMs }).then(
      // After an answer to the command, its time limit no longer applies.
      (result) => (isAsking(result) ? undefined : this.#left.delete(shell)),
      () => undefined,
    );
  }

  async #requireFree(shell: Shell): Promise<void> {
    const { isBusy } = await shell.state();
    if (!isBusy) {
      this.#left.delete(shell);
      return;
    }
    const { id } = shell.session;
    throw new LimpetError(
      "SHELL_BUSY",
      `A command still runs in the shell of session ${id}. Continue with wait_for(session_ids=[${id}]), answer it with write_stdin, or use another shell name.`,
    );
  }

  async #find(request: CommandRequest): Promise<FoundShell> {
    const { shell: key, caller, signal } = request;
    const name = key === DEFAULT_NAME ? this.#defaultOf(caller) : String(key);
    const starting = this.#starting.get(name);
    if (starting) return await untilAborted(starting, signal);
    const running = this.#registry.list().find((session) => isCalled(session, name) && !session.closeReason);
    if (running) return { shell: this.#shellIn(running), isNew: false, formerExit: null, isWithoutStartFiles: false };
    // An id is never reused, so no new shell can have it. `get` lists the open sessions.
    if (/^\d+$/.test(name)) throw this.#gone(this.#registry.get(Number(name)));
    const started = this.#start(name, request).finally(() => this.#starting.delete(name));
    this.#starting.set(name, started);
    // If this caller aborts, the next one uses the shell.
    return await untilAborted(started, signal);
  }

  /** The name of the caller's default shell. */
  #defaultOf(caller: string): string {
    const own = this.#defaults.get(caller) ?? this.#freeName();
    this.#defaults.set(caller, own);
    return own;
  }

  #freeName(): string {
    const taken = new Set([...this.#defaults.values(), ...this.#registry.list().map(({ name }) => name)]);
    for (let number = 2, name = DEFAULT_NAME; ; number += 1) {
      if (!taken.has(name)) return name;
      name = `${DEFAULT_NAME}-${number}`;
    }
  }

  async #start(name: string, { fresh = {} }: CommandRequest): Promise<FoundShell> {
    const former = this.#registry.list({ ended: true }).findLast((session) => session.name === name);
    const wasShell = former !== undefined && (this.#shells.has(former) || former.isLost);
    const isLost = wasShell && former.closeReason !== "asked";
    const { cwd, env, shell: program, login = true } = fresh;
    const options = {
      name,
      open: (given: Parameters<SessionRegistry["open"]>[0]) => this.#registry.open(given),
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
      ...(program === undefined ? {} : { shell: program }),
    };
    const { shell, isWithoutStartFiles } = await openReady({ ...options, login });
    this.#shells.set(shell.session, shell);
    return { shell, isNew: true, formerExit: isLost ? (former.exit ?? null) : null, isWithoutStartFiles };
  }

  #shellIn(session: Session): Shell {
    const shell = this.#shells.get(session);
    if (shell) return shell;
    throw new LimpetError(
      "BAD_OPTION",
      `Session ${session.id} is not a shell that runs commands. Type into it with write_stdin, or pass another name.`,
    );
  }

  #gone({ id, name }: Session): LimpetError {
    const next = name === undefined ? "Omit shell" : `Pass its name, ${JSON.stringify(name)},`;
    return new LimpetError(
      "SESSION_ENDED",
      `Shell ${id} has ended, and its state is lost. ${next} to start a new one.`,
    );
  }
}

function isCalled({ id, name }: Session, key: string): boolean {
  return name === key || (/^\d+$/.test(key) && Number(key) === id);
}

/** The start of the shell counts as waiting. */
function restOfWait(waitMs: number | undefined, spentMs: number): number | undefined {
  if (waitMs === undefined) return undefined;
  return Math.min(waitMs, Math.max(MIN_COMMAND_WAIT_MS, Math.round(waitMs - spentMs)));
}

/** Start files may ask for input or never end. Then a shell without them is better than none. */
async function openReady(options: ShellOptions) {
  try {
    return { shell: await openShell(options), isWithoutStartFiles: false };
  } catch (error) {
    if (!options.login || !(error instanceof LimpetError) || error.code !== "SHELL_NOT_READY") throw error;
    return { shell: await openShell({ ...options, login: false }), isWithoutStartFiles: true };
  }
}
