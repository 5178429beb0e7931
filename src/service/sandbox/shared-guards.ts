/** The guards of projects, each shared by all sessions that may change the project. */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../base/limits.ts";
import { type GuardedReport, ProjectGuard } from "../../safety/guarded-files/project-guard.ts";
import type { ReplacedFiles } from "../../safety/guarded-files/replaced-files.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { describeGuarded } from "./describe-guarded.ts";

/** More reports are not kept for callers that have not asked yet: the oldest are dropped. */
const MAX_REPORTS = 200;
const FIRST_CHECK_MS = 250;
const LAST_CHECK_MS = 10_000;

export class SharedGuards {
  /** By project and what may be changed in it. */
  readonly #guards = new Map<string, SharedGuard>();
  readonly #replaced: () => ReplacedFiles | undefined;

  /** `replaced`: keeps copies of what a restore replaces. */
  constructor(replaced: () => ReplacedFiles | undefined) {
    this.#replaced = replaced;
  }

  /**
   * `project` has no links in it. Remembers its files if no other session guards it. Call `opened` when the session has
   * opened, or could not be opened.
   */
  of(project: string, allowed: readonly string[]): SharedGuard {
    const key = JSON.stringify([project, ...[...allowed].sort()]);
    const found = this.#guards.get(key) ?? new SharedGuard(new ProjectGuard(project, allowed, this.#replaced()), key);
    this.#guards.set(key, found);
    found.opening += 1;
    return found;
  }

  opened(guard: SharedGuard | undefined): void {
    if (guard) guard.opening -= 1;
    this.drop(guard);
  }

  /** Forgets a guard whose sessions have ended and left nothing running. */
  drop(guard: SharedGuard | undefined): void {
    if (guard?.isOver && this.#guards.get(guard.key) === guard) this.#guards.delete(guard.key);
  }
}

export class SharedGuard {
  readonly key: string;
  /** How many sessions are being opened. */
  opening = 0;
  readonly #guard: ProjectGuard;
  readonly #sessions = new Set<Session>();
  /** What was found, the oldest first, and how much of it was dropped. */
  readonly #found: GuardedReport[] = [];
  #dropped = 0;
  /** By caller: how much of it was reported. */
  readonly #known = new BoundedMap<string, number>(MAX_CALLERS);
  /** The timer of the next check. */
  #later: NodeJS.Timeout | undefined;
  /** Resolves after the last check, because checks run one after the other. */
  #checked: Promise<void> = Promise.resolve();

  constructor(guard: ProjectGuard, key: string) {
    this.#guard = guard;
    this.key = key;
  }

  get isOver(): boolean {
    return this.#sessions.size === 0 && this.opening === 0;
  }

  add(session: Session): void {
    this.#sessions.add(session);
    void session.exited.then(() => this.#check());
  }

  /** Call before programs of the sandbox act. */
  beforeAct(): void {
    clearTimeout(this.#later);
    this.#guard.accept();
  }

  /** Restores what was changed, and reports it once to each caller. */
  async takeNotes(caller: string): Promise<readonly string[]> {
    await this.#check();
    this.#checkLater(FIRST_CHECK_MS);
    const known = Math.max(this.#dropped, this.#known.get(caller) ?? 0);
    this.#known.set(caller, this.#dropped + this.#found.length);
    return describeGuarded(this.#found.slice(known - this.#dropped));
  }

  /** A shell that has just ended a command still runs for a moment. Checks again until all its programs sleep. */
  #checkLater(afterMs: number): void {
    clearTimeout(this.#later);
    if (this.#guard.isAsleep || this.#sessions.size === 0) return;
    const next = () => void this.#check().then(() => this.#checkLater(Math.min(2 * afterMs, LAST_CHECK_MS)));
    this.#later = setTimeout(next, afterMs).unref();
  }

  #check(): Promise<void> {
    this.#checked = this.#checked.then(async () => {
      this.#found.push(...(await this.#guard.check(() => this.#pids())));
      this.#dropped += this.#found.splice(0, this.#found.length - MAX_REPORTS).length;
      for (const session of this.#sessions)
        if (session.exit && (await pidsOf(session)).length === 0) this.#sessions.delete(session);
    });
    return this.#checked;
  }

  async #pids(): Promise<readonly number[]> {
    return (await Promise.all([...this.#sessions].map(pidsOf))).flat();
  }
}

/** What the session runs, or left running. */
async function pidsOf(session: Session): Promise<readonly number[]> {
  const { probe } = internalsOf(session).channel;
  const running = await probe?.running().catch(() => []);
  return (running ?? []).map(({ pid }) => pid);
}
