/** Opens sessions in their sandboxes, and reports what the sandboxes refused and which files they restored. */
import { realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { lazy } from "../../base/async/lazy.ts";
import { describeSandbox, type SandboxRequest } from "../../base/sandbox-request.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import { ReplacedFiles } from "../../safety/guarded-files/replaced-files.ts";
import { explainRefusal } from "../../safety/sandbox/refusal/explain-refusal.ts";
import { refusedAccess } from "../../safety/sandbox/refusal/refused-access.ts";
import { resolveSandbox } from "../../safety/sandbox/resolve-sandbox.ts";
import type { Sandbox } from "../../safety/sandbox/sandbox.ts";
import { sandboxTransport } from "../../safety/sandbox/sandbox-transport.ts";
import type { OpenOptions } from "../../session/open/open-options.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { wordOrQuote } from "../../text/clean/quote-line.ts";
import type { Elsewhere } from "../elsewhere.ts";
import { type SharedGuard, SharedGuards } from "./shared-guards.ts";

/** The sandbox of one session. */
interface Inside {
  readonly sandbox: SandboxRequest;
  /** With its paths. */
  readonly full: Sandbox;
  readonly startedIn: string;
  /** Undefined if its programs cannot change the project. */
  readonly guard: SharedGuard | undefined;
  /** Hosts that its programs could not connect to, until they are reported. */
  readonly refusedHosts: Set<string>;
}

/** How a command or a program ended, as far as an answer shows it. */
export interface Outcome {
  readonly hasFailed: boolean;
  readonly text: string;
  readonly cwd: string;
}

const MAX_HOSTS = 10;
/** In the directory of the registry. */
const REPLACED = "replaced";

interface SandboxesOptions {
  /** What no program in a sandbox may read, besides the files of the registry. */
  readonly hidden?: () => readonly string[];
  /**
   * Where copies of what the sandbox replaces in guarded files are kept. Default: beside the journals, if those are on
   * disk.
   */
  readonly replacedIn?: string | undefined;
  /** Default: programs run on this machine. */
  readonly elsewhere?: Elsewhere | undefined;
}

export class Sandboxes {
  readonly #registry: SessionRegistry;
  readonly #hidden: () => readonly string[];
  /** Where programs run, if not on this machine. */
  readonly elsewhere: Elsewhere | undefined;
  readonly #guards: SharedGuards;
  readonly #inside = new WeakMap<Session, Inside>();

  constructor(registry: SessionRegistry, { hidden = () => [], replacedIn, elsewhere }: SandboxesOptions = {}) {
    this.#registry = registry;
    this.#hidden = hidden;
    this.elsewhere = elsewhere;
    const replaced = lazy(() => {
      const directory = replacedIn ?? (registry.stateDirectory && join(registry.stateDirectory, REPLACED));
      return directory === undefined ? undefined : new ReplacedFiles(directory);
    });
    this.#guards = new SharedGuards(replaced);
  }

  /** Without a sandbox, the session has all rights of the user. */
  async open(options: OpenOptions, sandbox: SandboxRequest | undefined): Promise<Session> {
    if (this.elsewhere) return await this.#openElsewhere(this.elsewhere, options, sandbox);
    if (!sandbox) return await this.#registry.open(options);
    const { stateDirectory } = this.#registry;
    const cwd = options.cwd ?? workingDirectory();
    const project = projectFolder(options.owner?.project ?? null) ?? cwd;
    const full = {
      ...sandbox,
      project,
      own: [...(stateDirectory === undefined ? [] : [stateDirectory]), ...this.#hidden()],
    };
    const refusedHosts = new Set<string>();
    const guard = this.#guardFor(project, sandbox);
    guard?.beforeAct();
    const transport = sandboxTransport(full, { onRefused: (host) => void refusedHosts.add(host) });
    try {
      const session = await this.#registry.open({ ...options, sandbox, transport });
      this.#inside.set(session, { sandbox, full, startedIn: cwd, guard, refusedHosts });
      guard?.add(session);
      return session;
    } finally {
      this.#guards.opened(guard);
    }
  }

  /** Programs there inherit nothing of this machine. */
  async #openElsewhere(
    { shell, transportFor }: Elsewhere,
    options: OpenOptions,
    sandbox: SandboxRequest | undefined,
  ): Promise<Session> {
    const transport = transportFor(sandbox);
    const command = "command" in options ? { ...options, shell: options.shell ?? shell } : options;
    const inside = sandbox ? { sandbox } : {};
    return await this.#registry.open({ ...command, ...inside, baseEnv: async () => ({}), transport });
  }

  /** Call before something is typed into a session. */
  beforeAct(session: Session): void {
    this.#inside.get(session)?.guard?.beforeAct();
  }

  /**
   * What the sandbox of a session did, one line each, once to each caller. Restores guarded files that were changed.
   */
  async notesOn(session: Session, caller: string, outcome?: Outcome): Promise<readonly string[]> {
    const inside = this.#inside.get(session);
    if (!inside) return [];
    const { sandbox, guard, refusedHosts } = inside;
    const restored = (await guard?.takeNotes(caller)) ?? [];
    this.#guards.drop(guard);
    if (refusedHosts.size > 0) {
      const hosts = [...refusedHosts].slice(0, MAX_HOSTS).map((host) => wordOrQuote(host));
      refusedHosts.clear();
      return [`Refused by the sandbox (${describeSandbox(sandbox)}): connections to ${hosts.join(", ")}`, ...restored];
    }
    const refusal = outcome?.hasFailed ? explain(inside, outcome) : undefined;
    return refusal === undefined ? restored : [refusal, ...restored];
  }

  /** Undefined for a project that does not exist: then the session is not opened. */
  #guardFor(project: string, { files, allowChanges = [] }: SandboxRequest): SharedGuard | undefined {
    if (files !== "workspace") return undefined;
    try {
      return this.#guards.of(realpathSync(project), allowChanges);
    } catch {
      return undefined;
    }
  }
}

function explain({ sandbox, full, startedIn }: Inside, { text, cwd }: Outcome): string | undefined {
  const resolved = lazy(() => resolveSandbox(full, startedIn));
  return explainRefusal({ sandbox, text, cwd, refusedAccess: (path) => refusedAccess(path, resolved()) });
}

/** Undefined for the project of a client on another machine, which is not a folder here. */
function projectFolder(project: string | null): string | undefined {
  return project !== null && isAbsolute(project) ? project : undefined;
}
