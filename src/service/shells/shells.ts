/**
 * Persistent shells, by the names of their sessions in one project. A caller that names no shell has its own default
 * shell. A new shell replaces one that has ended, under the same name and in the same directory, and the answer says
 * that the rest of its state is lost.
 */

import { resolve } from "node:path";
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../base/limits.ts";
import { requireEnv } from "../../base/require-env.ts";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import { narrowLimits, parseLimits, type SessionLimits } from "../../base/session-limits.ts";
import { untilAborted } from "../../base/until-aborted.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import { requireDirectory } from "../../pty/find-program.ts";
import { narrowSandbox } from "../../safety/sandbox/narrow-sandbox.ts";
import { commandLogOf } from "../../session/command-log.ts";
import type { OpenOptions } from "../../session/open-session.ts";
import { projectOf, type SessionOwner } from "../../session/resolve-session.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { SessionRegistry } from "../../session/session-registry.ts";
import { prefixCommand } from "../../shell/prefix-command.ts";
import type { RunResult } from "../../shell/run-result.ts";
import type { Shell } from "../../shell/shell.ts";
import type { RunningProcess } from "../../transport/probe.ts";
import { autoCloseOf } from "../listing.ts";
import type { Asker } from "../owners/asker.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import type { CommandAnswer, FormerShell, RunRequest } from "../turn/turn.ts";
import { DEFAULT_SHELL, defaultShellName } from "./default-shell-name.ts";
import { replacedShell } from "./former-shell.ts";
import { type PreparedShell, prepareShell } from "./prepare-shell.ts";
import { commandRuns, notAShell, shellEnded } from "./shell-errors.ts";

/** What a command gets of a wait that the start of its shell has used up: most commands end within it. */
const MIN_COMMAND_WAIT_MS = 1_000;

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
  /** The most that a new shell may do. */
  readonly within: SandboxRequest | undefined;
  readonly limits: SessionLimits | undefined;
  /** Ends the wait, never the command. */
  readonly signal: AbortSignal;
}

interface TypedRequest extends CommandRequest {
  /** As the caller wrote it, without what limpet puts before it. */
  readonly typedCommand: string;
}

export class Shells {
  readonly #registry: SessionRegistry;
  readonly #sandboxes: Sandboxes;
  readonly #shells = new WeakMap<Session, Pick<PreparedShell, "shell" | "startedWith">>();
  /** By project and name. Callers that ask during the start of a shell share it. */
  readonly #starting = new Map<string, Promise<FoundShell>>();
  /** By caller. Independent agents must not share a directory and variables. */
  readonly #defaults = new BoundedMap<string, { readonly name: string; readonly project: string | null }>(MAX_CALLERS);
  /**
   * Shells whose command still runs without a waiting caller. The next command would wait for somebody to answer it.
   */
  readonly #left = new WeakSet<Shell>();

  constructor(registry: SessionRegistry, sandboxes: Sandboxes) {
    this.#registry = registry;
    this.#sandboxes = sandboxes;
  }

  /** Resolves when the shell is ready for the command. `admit` throws if nothing may be typed into the session now. */
  async begin(request: CommandRequest, admit: (session: Session) => void): Promise<BegunCommand> {
    // Checked before anything is started or typed.
    requireEnv(request.env);
    const { elsewhere } = this.#sandboxes;
    const cwd = request.cwd === undefined ? undefined : resolve(workingDirectory(), request.cwd);
    // Elsewhere, the shell says whether there is such a directory.
    if (cwd !== undefined && !elsewhere) requireDirectory(cwd);
    const command = prefixCommand(request.command, { cwd, env: request.env });
    const askedMs = performance.now();
    const found = await this.#find(request);
    const waitMs = restOfWait(request.waitMs, performance.now() - askedMs);
    const outcome = this.#registry.use([found.shell.session.id], () =>
      this.#runIn(found, { ...request, typedCommand: request.command, command, waitMs }, admit),
    );
    return { found, outcome };
  }

  /** The running shell that a command would go to; undefined: it would start one. */
  peek(key: RunRequest["shell"], asker: Asker): Session | undefined {
    if (isId(key)) return this.#registry.get(key);
    const name = key === DEFAULT_SHELL ? this.#defaultOf(asker) : String(key);
    return this.#named(name, asker.owner).find(({ exit, closeReason }) => !exit && !closeReason);
  }

  has(session: Session): boolean {
    return this.#shells.has(session);
  }

  /** What works in the background of a shell. */
  async jobs(session: Session): Promise<readonly RunningProcess[]> {
    const startedWith = this.#shells.get(session)?.startedWith;
    const all = (await internalsOf(session).channel.probe?.running()) ?? [];
    return all.filter(({ pid }) => pid !== session.pid && !startedWith?.has(pid));
  }

  async #runIn(found: FoundShell, request: TypedRequest, admit: (session: Session) => void): Promise<CommandAnswer> {
    const { shell, ...remarks } = found;
    const log = commandLogOf(shell.session);
    if (this.#left.has(shell)) await this.#requireFree(shell);
    admit(shell.session);
    this.#sandboxes.beforeAct(shell.session);
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
          const cwd = request.cwd ?? internalsOf(shell.session).finishes.directory ?? shell.session.cwd;
          const { typedCommand, asker } = request;
          log.begin({ command: typedCommand, caller: asker.owner.caller, cwd, from: shell.session.endCursor });
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
    throw commandRuns(shell.session);
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
    const running = this.peek(name, asker);
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

  async #start(name: string, request: CommandRequest): Promise<FoundShell> {
    const { fresh = {}, within, asker } = request;
    const { owner } = asker;
    const sandbox = narrowSandbox(within, fresh.sandbox);
    const limits = narrowLimits(request.limits, parseLimits(fresh.limits ?? {}));
    const last = this.#named(name, owner).at(-1);
    const { cwd, defaultCwd, env, startFiles = "rc" } = fresh;
    const program = fresh.shell ?? (await this.#sandboxes.elsewhere?.keptShell());
    const replaced =
      last &&
      replacedShell(last, { wasPrepared: this.#shells.has(last), closed: autoCloseOf(last, this.#registry), cwd });
    const directory = cwd ?? replaced?.directory ?? defaultCwd;
    const options = {
      name,
      open: (given: OpenOptions) => this.#sandboxes.open({ ...given, owner, ...(limits ? { limits } : {}) }, sandbox),
      ...(directory === undefined ? {} : { cwd: directory }),
      ...(env === undefined ? {} : { env }),
      ...(program === undefined ? {} : { shell: program }),
    };
    const { isWithoutStartFiles, ...prepared } = await prepareShell({ ...options, startFiles });
    const { shell } = prepared;
    this.#shells.set(shell.session, prepared);
    return { shell, isNew: true, former: replaced?.former ?? null, isWithoutStartFiles };
  }

  #running(session: Session): FoundShell {
    // `get` also finds sessions that have ended.
    if (session.exit || session.closeReason) throw shellEnded(session);
    const prepared = this.#shells.get(session);
    if (prepared) return { shell: prepared.shell, isNew: false, former: null, isWithoutStartFiles: false };
    throw notAShell(session);
  }
}

function isId(key: string | number): boolean {
  return typeof key === "number" || /^\d+$/.test(key);
}

/** The start of the shell counts as waiting. */
function restOfWait(waitMs: number | undefined, spentMs: number): number | undefined {
  if (waitMs === undefined) return undefined;
  return Math.min(waitMs, Math.max(MIN_COMMAND_WAIT_MS, Math.round(waitMs - spentMs)));
}
