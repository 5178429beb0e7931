/** Reads the guarded files of a project. Their number and size are bounded: what exceeds the bounds is not guarded. */
import { closeSync } from "node:fs";
import { normalize } from "node:path";
import { bytesAt, type Folder, linkAt, namesIn, openFolder, statAt, within } from "./folder-at.ts";
import { hooksPathsIn } from "./git-config-risk.ts";
import type { GuardedEntry, Snapshot } from "./guarded-entry.ts";
import { type GuardedPath, guardedPaths, isAllowed, parentsOf } from "./guarded-paths.ts";

/** Per guarded folder, so that many files in one folder do not leave others unguarded. */
const MAX_ENTRIES = 1_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 8;
const GIT = ".git";
/** Where git keeps the repositories of submodules, whose names may have slashes, and of worktrees. */
const NESTED = [`${GIT}/modules`, `${GIT}/worktrees`];
const NESTED_DEPTH = 3;
/** Git never runs these. */
const SAMPLE = /^(?:.*\/)?hooks\/[^/]*\.sample$/;

export interface TakenSnapshot {
  readonly entries: Snapshot;
  readonly guarded: readonly GuardedPath[];
}

interface SnapshotOptions {
  readonly allowed: readonly string[];
  /** The last one: what it guarded stays guarded, and files that have not changed are not read again. */
  readonly before?: TakenSnapshot | undefined;
}

/** `project` has no links in it. Empty if it is gone. */
export function takeSnapshot(project: string, { allowed, before }: SnapshotOptions): TakenSnapshot {
  let folder: Folder;
  try {
    folder = openFolder(project);
  } catch {
    return { entries: new Map(), guarded: [] };
  }
  try {
    const found = guardedIn(folder, allowed);
    const known = new Set(found.map(({ path }) => path));
    const guarded = [...found, ...(before?.guarded ?? []).filter(({ path }) => !known.has(path))];
    const reading = new Reading(before?.entries ?? new Map(), allowed);
    // Without their content: only that they are folders.
    for (const path of parentsOf(guarded)) reading.read(folder, path, 0);
    for (const { path } of guarded) reading.read(folder, path, MAX_DEPTH);
    return { entries: reading.entries, guarded };
  } finally {
    closeSync(folder.fd);
  }
}

/** What is guarded in a project, whether it exists or not. */
export function guardedIn(folder: Folder, allowed: readonly string[]): readonly GuardedPath[] {
  const gitDirectories = [GIT, ...nestedIn(folder)];
  return guardedPaths({ gitDirectories, hookFolders: hookFoldersOf(folder, gitDirectories), allowed });
}

class Reading {
  readonly entries = new Map<string, GuardedEntry>();
  readonly #before: Snapshot;
  readonly #allowed: readonly string[];
  #bytes = 0;
  #left = 0;

  constructor(before: Snapshot, allowed: readonly string[]) {
    this.#before = before;
    this.#allowed = allowed;
  }

  /** Reads what has the path, and what is below it down to a depth. */
  read(root: Folder, path: string, depth: number): void {
    const names = path.split("/");
    const name = names.pop() ?? "";
    this.#left = MAX_ENTRIES;
    within(root, names, (folder) => this.#read(folder, { name, path, depth }));
    if (this.#left < 0) this.entries.set(path, { kind: "other" });
  }

  #read(folder: Folder, { name, path, depth }: { name: string; path: string; depth: number }): void {
    if (this.#left < 0 || SAMPLE.test(path) || isAllowed(path, this.#allowed)) return;
    this.#left -= 1;
    try {
      const entry = this.#entryOf(folder, name, path);
      if (!entry) return;
      this.entries.set(path, entry);
      if (entry.kind !== "folder" || depth === 0) return;
      const isRead = within(folder, [name], (below) => {
        for (const each of namesIn(below)) this.#read(below, { name: each, path: `${path}/${each}`, depth: depth - 1 });
        return true;
      });
      if (!isRead) this.entries.set(path, { kind: "other" });
    } catch {
      // It was removed while it was read, or cannot be read: then nothing is known about it.
    }
  }

  #entryOf(folder: Folder, name: string, path: string): GuardedEntry | undefined {
    const facts = statAt(folder, name);
    if (!facts) return undefined;
    if (facts.isDirectory()) return { kind: "folder" };
    if (facts.isSymbolicLink()) return { kind: "link", target: linkAt(folder, name) };
    if (!facts.isFile()) return { kind: "other" };
    const stamp = `${facts.ino} ${facts.size} ${facts.ctimeMs}`;
    const last = this.#before.get(path);
    if (last?.kind === "file" && last.stamp === stamp) return last;
    const bytes = this.#bytes < MAX_BYTES ? bytesAt(folder, name, MAX_FILE_BYTES) : undefined;
    this.#bytes += bytes?.length ?? 0;
    return { kind: "file", mode: facts.mode & 0o777, stamp, bytes };
  }
}

/** The repositories below `.git`. */
function nestedIn(root: Folder): readonly string[] {
  const found: string[] = [];
  const search = (folder: Folder, path: string, depth: number): void => {
    for (const name of namesIn(folder)) {
      if (found.length >= MAX_ENTRIES) return;
      const below = `${path}/${name}`;
      const hasHead = within(folder, [name], (inner) => statAt(inner, "HEAD") !== undefined);
      if (hasHead) found.push(below);
      else if (depth > 1) within(folder, [name], (inner) => search(inner, below, depth - 1));
    }
  };
  for (const path of NESTED) within(root, path.split("/"), (folder) => search(folder, path, NESTED_DEPTH));
  return found;
}

/** Folders in the project that a configuration of git takes hooks from. */
function hookFoldersOf(root: Folder, gitDirectories: readonly string[]): readonly string[] {
  const texts = gitDirectories.map((path) =>
    within(root, path.split("/"), (folder) => {
      try {
        return bytesAt(folder, "config", MAX_FILE_BYTES)?.toString("utf8");
      } catch {
        return undefined;
      }
    }),
  );
  const folders = texts.flatMap((text) => hooksPathsIn(text ?? "")).map((path) => normalize(path).replace(/\/+$/, ""));
  return [...new Set(folders)].filter((path) => path !== "." && !path.startsWith("/") && !path.startsWith(".."));
}
