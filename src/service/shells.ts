/**
 * Persistent shells, by the names of their sessions in one project. A caller that names no shell has its own default
 * shell. A new shell replaces one that has ended, under the same name and in the same directory, and the answer says
 * that the rest of its state is lost.
 */

import { BoundedMap } from "../base/bounded-map.ts";
import { MAX_CALLERS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { untilAborted } from "../base/until-aborted.ts";
import { projectOf, type SessionOwner } from "../session/resolve-session.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { openShell, type ShellOptions } from "../shell/open-shell.ts";
import type { RunResult } from "../shell/run-result.ts";
import type { Shell } from "../shell/shell.ts";
import type { RunningProcess } from "../transport/probe.ts";
import type { Asker } from "./asker.ts";
import { DEFAULT_SHELL, defaultShellName } from "./default-shell-name.ts";
import { replacedShell } from "./former-shell.ts";
import { autoCloseOf } from "./listing.ts";
import type { CommandAnswer, FormerShell, RunRequest } from "./turn.ts";

/** The shell for a command, and what to report about it. */
interface FoundShell {
  readonly shell: Shell;
  readonly isNew: boolean;
  readonly former: FormerShell | null;
  readonly isWithoutStartFiles: boolean;
}

/** A command that was given to a shell, and its future result. */
interface BegunCommand {
  readonly found: FoundShell;
  readonly outcome: Promise<CommandAnswer>;
}

interface CommandRequest extends RunRequest {
  readonly asker: Asker;
  /** Ends the wait, never the command. */
  readonly signal: AbortSignal;
}

interface PreparedShell {
  readonly shell: Shell;
  /** What its start files left running: no work of a caller. */
  readonly startedWith: ReadonlySet<number>;
}

export class Shells {
  readonly #registry: SessionRegistry;
  readonly #shells = new WeakMap<Session, PreparedShell>();
  /** By project and name. Callers that ask during the start of a shell share it. */
  readonly #starting = new Map<string, Promise<FoundShell>>();
  /** By caller. Independent agents must not share a directory and variables. */
  readonly #defaults = new BoundedMap<string, { readonly name: string; readonly project: string | null }>(MAX_CALLERS);
  /**
   * Shells whose command still runs without a waiting caller. The next command would wait for somebody to answer it.
   */
  readonly #left = new WeakSet<Shell>();

  constructor(registry: SessionRegistry) {
    this.#registry = registry;
  }

  /** Resolves when the shell is ready for the command. `admit` throws if nothing may be typed into the session now. */
  async begin(request: CommandRequest, admit: (session: Session) => void): Promise<BegunCommand> {
    const found = await this.#find(request);
    const outcome = this.#registry.use([found.shell.session.id], () => this.#runIn(found, request, admit));
    return { found, outcome };
  }

  /** What works in the background of a shell. */
  async jobs(session: Session): Promise<readonly RunningProcess[]> {
    const startedWith = this.#shells.get(session)?.startedWith;
    const all = (await internalsOf(session).channel.probe?.running()) ?? [];
    return all.filter(({ pid }) => pid !== session.pid && !startedWith?.has(pid));
  }

  async #runIn(found: FoundShell, request: CommandRequest, admit: (session: Session) => void): Promise<CommandAnswer> {
    const { shell, ...remarks } = found;
    if (this.#left.has(shell)) await this.#requireFree(shell);
    admit(shell.session);
    const { timeoutMs, waitMs, maxTokens, stdin, signal } = request;
    const startedMs = performance.now();
    let isBegun = false;
    try {
      const result = await shell.run(request.command, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(waitMs === undefined ? {} : { deadlineMs: waitMs }),
        ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
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
    const { shell: key, asker, signal } = request;
    const { owner } = asker;
    // An id is never reused, so no new shell can have it.
    if (isId(key)) return this.#running(this.#registry.get(key));
    const name = key === DEFAULT_SHELL ? this.#defaultOf(asker) : String(key);
    const startKey = `${owner.project}\0${name}`;
    const starting = this.#starting.get(startKey);
    if (starting) return await untilAborted(starting, signal);
    const running = this.#named(name, owner).find(({ exit, closeReason }) => !exit && !closeReason);
    if (running) return this.#running(running);
    const started = this.#start(name, request).finally(() => this.#starting.delete(startKey));
    this.#starting.set(startKey, started);
    // If this caller aborts, the next one uses the shell.
    return await untilAborted(started, signal);
  }

  /** All sessions of that name in the project, also ended ones, in the order of their start. */
  #named(name: string, { project }: SessionOwner): readonly Session[] {
    const all = this.#registry.list({ ended: true });
    return all.filter((session) => session.name === name && projectOf(session) === project);
  }

  #defaultOf({ caller, owner }: Asker): string {
    const { project } = owner;
    const others = [...this.#defaults.values()].filter((other) => other.project === project);
    const taken = new Set(others.map(({ name }) => name));
    const sessions = this.#registry.list({ ended: true });
    const name = this.#defaults.get(caller)?.name ?? defaultShellName({ owner, sessions, taken });
    this.#defaults.set(caller, { name, project });
    return name;
  }

  async #start(name: string, { fresh = {}, asker: { owner } }: CommandRequest): Promise<FoundShell> {
    const last = this.#named(name, owner).at(-1);
    const { cwd, defaultCwd, env, shell: program, login = true } = fresh;
    const replaced =
      last &&
      replacedShell(last, { wasPrepared: this.#shells.has(last), closed: autoCloseOf(last, this.#registry), cwd });
    const directory = cwd ?? replaced?.directory ?? defaultCwd;
    const options = {
      name,
      open: (given: Parameters<SessionRegistry["open"]>[0]) => this.#registry.open({ ...given, owner }),
      ...(directory === undefined ? {} : { cwd: directory }),
      ...(env === undefined ? {} : { env }),
      ...(program === undefined ? {} : { shell: program }),
    };
    const { shell, isWithoutStartFiles } = await openReady({ ...options, login });
    this.#shells.set(shell.session, { shell, startedWith: new Set(await pidsBeside(shell.session)) });
    return { shell, isNew: true, former: replaced?.former ?? null, isWithoutStartFiles };
  }

  #running(session: Session): FoundShell {
    // `get` also finds sessions that have ended.
    if (session.exit || session.closeReason) throw this.#gone(session);
    const prepared = this.#shells.get(session);
    if (prepared) return { shell: prepared.shell, isNew: false, former: null, isWithoutStartFiles: false };
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

function isId(key: string | number): boolean {
  return typeof key === "number" || /^\d+$/.test(key);
}

/** Most shells have nothing beside them after their start, which one look at their children shows. */
async function pidsBeside(session: Session): Promise<readonly number[]> {
  const { probe } = internalsOf(session).channel;
  if (!probe || probe.markProcesses().children.length === 0) return [];
  return (await probe.running()).map(({ pid }) => pid);
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
