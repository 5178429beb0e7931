/**
 * Persistent shells, by the names of their sessions in one project. A caller that names no shell has its own default
 * shell. A new shell replaces one that has ended, under the same name and in the same directory, and the answer says
 * that the rest of its state is lost.
 */

import { resolve } from "node:path";
import { deferred } from "../../base/async/deferred.ts";
import { untilAborted } from "../../base/async/until-aborted.ts";
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../base/limits.ts";
import { requireEnv } from "../../base/require-env.ts";
import { narrowLimits, parseLimits } from "../../base/session-limits.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import { requireDirectory } from "../../pty/find-program.ts";
import { narrowSandbox } from "../../safety/sandbox/narrow-sandbox.ts";
import type { OpenOptions } from "../../session/open/open-options.ts";
import { projectOf, type SessionOwner } from "../../session/registry/resolve-session.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { prefixCommand } from "../../shell/prefix-command.ts";
import type { RunningProcess } from "../../transport/probe.ts";
import { autoCloseOf } from "../listing/listing.ts";
import type { Asker } from "../owners/asker.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import { secretOptions } from "../secrets/secret-options.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { RunRequest } from "../turn/start-request.ts";
import type { CommandAnswer } from "../turn/turn-answer.ts";
import { DEFAULT_SHELL, defaultShellName } from "./default-shell-name.ts";
import { type PreparedShell, prepareShell } from "./prepare-shell.ts";
import { replacedShell } from "./replaced-shell.ts";
import { requireFit } from "./require-fit.ts";
import { type CommandRequest, type FoundShell, ShellCommands } from "./shell-commands.ts";
import { notAShell, shellEnded } from "./shell-errors.ts";

/**
 * The least time to wait for a command, even if the start of its shell has used up the wait. Most commands end within
 * it.
 */
const MIN_COMMAND_WAIT_MS = 1_000;

/** A command that was given to a shell, and its future result. */
interface StartedCommand {
  readonly found: FoundShell;
  readonly outcome: Promise<CommandAnswer>;
}

export class Shells {
  readonly #registry: SessionRegistry;
  readonly #sandboxes: Sandboxes;
  readonly #secrets: Secrets | undefined;
  readonly #shells = new WeakMap<Session, Pick<PreparedShell, "shell" | "startedWith">>();
  /** By project and name. Callers that ask during the start of a shell share it. */
  readonly #starting = new Map<string, Promise<FoundShell>>();
  /** By caller. Independent agents must not share a directory and variables. */
  readonly #defaults = new BoundedMap<string, { readonly name: string; readonly project: string | null }>(MAX_CALLERS);
  readonly #commands: ShellCommands;

  constructor(registry: SessionRegistry, sandboxes: Sandboxes, secrets?: Secrets) {
    this.#registry = registry;
    this.#sandboxes = sandboxes;
    this.#secrets = secrets;
    this.#commands = new ShellCommands(sandboxes);
  }

  /** Resolves when the shell is ready for the command. `admit` throws if nothing may be typed into the session now. */
  async start(request: CommandRequest, admit: (session: Session) => void): Promise<StartedCommand> {
    // Checked before anything is started or typed.
    requireEnv(request.env);
    const { elsewhere } = this.#sandboxes;
    const cwd = request.cwd === undefined ? undefined : resolve(workingDirectory(), request.cwd);
    if (cwd !== undefined) await (elsewhere ? elsewhere.requireDirectory?.(cwd) : requireDirectory(cwd));
    const command = prefixCommand(request.command, { cwd, env: request.env });
    const askedMs = performance.now();
    const found = await this.#find(request);
    const waitMs = restOfWait(request.waitMs, performance.now() - askedMs);
    const outcome = this.#registry.use([found.shell.session.id], () =>
      this.#commands.run(found, { ...request, typedCommand: request.command, command, waitMs }, admit),
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

  async #find(request: CommandRequest): Promise<FoundShell> {
    const { shell: key, asker, signal } = request;
    const { owner } = asker;
    // An id is never reused, so no new shell can have it.
    if (isId(key)) return this.#running(this.#registry.get(key), request);
    const name = key === DEFAULT_SHELL ? this.#defaultOf(asker) : String(key);
    const startKey = `${owner.project}\0${name}`;
    const starting = this.#starting.get(startKey);
    if (starting) {
      const found = await untilAborted(starting, signal);
      requireFit(found.shell.session, request);
      return found;
    }
    const running = this.peek(name, asker);
    if (running) return this.#running(running, request);
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
    const secrets = await secretOptions(this.#secrets, fresh);
    const replaced =
      last &&
      replacedShell(last, { wasPrepared: this.#shells.has(last), closed: autoCloseOf(last, this.#registry), cwd });
    const directory = cwd ?? replaced?.directory ?? defaultCwd;
    const isOver = deferred<void>();
    const options = {
      name,
      open: async (given: OpenOptions) => {
        const all = { ...withSecrets(given, secrets), owner, ...(limits ? { limits } : {}) };
        const session = await this.#sandboxes.open(all, sandbox);
        // Its caller waits for it, so it must not expire, however long its start takes.
        void this.#registry.use([session.id], () => isOver.promise);
        return session;
      },
      ...(directory === undefined ? {} : { cwd: directory }),
      ...(env === undefined ? {} : { env }),
      ...(program === undefined ? {} : { shell: program }),
    };
    const preparing = prepareShell({ ...options, startFiles }).finally(() => isOver.resolve());
    const { isWithoutStartFiles, ...prepared } = await preparing;
    const { shell } = prepared;
    this.#shells.set(shell.session, prepared);
    return { shell, isNew: true, former: replaced?.former ?? null, isWithoutStartFiles };
  }

  #running(session: Session, request: CommandRequest): FoundShell {
    // `get` also finds sessions that have ended.
    if (session.exit || session.closeReason) throw shellEnded(session);
    const prepared = this.#shells.get(session);
    if (!prepared) throw notAShell(session);
    requireFit(session, request);
    return { shell: prepared.shell, isNew: false, former: null, isWithoutStartFiles: false };
  }
}

/** The shell may add variables of its own to those that it is started with. */
function withSecrets(given: OpenOptions, { env, ...secrets }: Awaited<ReturnType<typeof secretOptions>>): OpenOptions {
  return env ? { ...given, ...secrets, env: { ...given.env, ...env } } : given;
}

function isId(key: string | number): boolean {
  return typeof key === "number" || /^\d+$/.test(key);
}

/** The start of the shell counts as waiting. */
function restOfWait(waitMs: number | undefined, spentMs: number): number | undefined {
  if (waitMs === undefined) return undefined;
  return Math.min(waitMs, Math.max(MIN_COMMAND_WAIT_MS, Math.round(waitMs - spentMs)));
}
