/**
 * Guards the files of a project that run code later. Landlock cannot except single files from a folder that programs
 * may change, so limpet compares these files with their earlier state, and restores them. Until then, a change has
 * effect.
 */
import { runCounts } from "../../linux/processes/run-counts.ts";
import { changesBetween, type GuardedChange } from "./guarded-entry.ts";
import { type GuardedPath, guardOf } from "./guarded-paths.ts";
import type { KeptFiles, ReplacedFiles } from "./replaced-files.ts";
import { restoreFile } from "./restore-file.ts";
import { type TakenSnapshot, takeSnapshot } from "./take-snapshot.ts";

/** A guarded path that a program has changed. */
export interface GuardedReport {
  readonly path: string;
  readonly usedBy: string;
  readonly outcome: "restored" | "reported" | "not restored";
  /** The folder with a copy of what the restore replaced. */
  readonly keptIn?: string | undefined;
}

export class ProjectGuard {
  readonly #project: string;
  readonly #allowed: readonly string[];
  readonly #replaced: ReplacedFiles | undefined;
  #baseline: TakenSnapshot;
  /** The processes of the sandbox after the last check, and how often each had run; undefined if one runs. */
  #asleep: { readonly pids: readonly number[]; readonly runs: string } | undefined;

  /** `project` has no links in it. `replaced` keeps copies of what a restore replaces. Default: no copies. */
  constructor(project: string, allowed: readonly string[], replaced?: ReplacedFiles) {
    this.#project = project;
    this.#allowed = allowed;
    this.#replaced = replaced;
    this.#baseline = takeSnapshot(project, { allowed });
  }

  /**
   * At the last check no program of the sandbox ran, so later changes from outside can be distinguished from theirs.
   */
  get isAsleep(): boolean {
    return this.#asleep !== undefined;
  }

  /**
   * Call before programs of the sandbox act. If none of them has run since the last check, somebody outside made all
   * changes since then, which is allowed.
   */
  accept(): void {
    const asleep = this.#asleep;
    this.#asleep = undefined;
    if (!asleep) return;
    const now = this.#snapshot();
    // Counted after the files were read, so that nothing that is accepted can be newer.
    if (runCounts(asleep.pids) === asleep.runs) this.#baseline = now;
  }

  /** Restores what was changed since the last check. `pids` lists the processes of the sandbox. */
  async check(pids: () => Promise<readonly number[]>): Promise<readonly GuardedReport[]> {
    this.#asleep = undefined;
    const listed = await pids();
    const runs = runCounts(listed);
    // A process that was started in between is in the second list, or its parent has run since.
    const isAll = (await pids()).every((pid) => listed.includes(pid));
    const reports = this.#restore();
    if (isAll && runs !== undefined) this.#asleep = { pids: listed, runs };
    return reports;
  }

  #restore(): readonly GuardedReport[] {
    const now = this.#snapshot();
    const { guarded } = now;
    const changes = changesBetween(this.#baseline.entries, now.entries, (path) => contentOf(path, guarded));
    const copies = this.#keep(changes, now);
    const kept = new Map(now.entries);
    const reports = changes.map((change) => {
      const report = this.#undo(change, guarded, copies);
      // A change that stays is reported once.
      if (report.outcome !== "restored") return report;
      if (change.was) kept.set(change.path, change.was);
      else kept.delete(change.path);
      return report;
    });
    this.#baseline = { entries: kept, guarded };
    return reports.filter(({ path }) => !reports.some((other) => path.startsWith(`${other.path}/`)));
  }

  #snapshot(): TakenSnapshot {
    return takeSnapshot(this.#project, { allowed: this.#allowed, before: this.#baseline });
  }

  /** Call this before anything is restored: a folder in place of a file is removed with all that is in it. */
  #keep(changes: readonly GuardedChange[], { entries, guarded }: TakenSnapshot): KeptFiles | undefined {
    const replaced = changes.flatMap(({ path }) => {
      const entry = entries.get(path);
      return entry && guardOf(path, guarded)?.on !== "report" ? [{ path, entry }] : [];
    });
    return this.#replaced?.keep(this.#project, replaced);
  }

  #undo(change: GuardedChange, guarded: readonly GuardedPath[], kept: KeptFiles | undefined): GuardedReport {
    const { path } = change;
    const { on, usedBy } = guardOf(path, guarded) ?? { on: "restore", usedBy: "git" };
    if (on === "report") return { path, usedBy, outcome: "reported" };
    if (!restoreFile(this.#project, change)) return { path, usedBy, outcome: "not restored" };
    return { path, usedBy, outcome: "restored", ...(kept?.paths.has(path) ? { keptIn: kept.folder } : {}) };
  }
}

function contentOf(path: string, guarded: readonly GuardedPath[]): GuardedPath["content"] {
  return guarded.find((each) => each.path === path)?.content ?? "all";
}
