/** Which guarded paths of a project can be made read-only by mounts: those that exist. */
import { closeSync } from "node:fs";
import { join } from "node:path";
import { openFolder, statAt, within } from "./folder-at.ts";
import { parentsOf } from "./guarded-paths.ts";
import { guardedIn } from "./take-snapshot.ts";

/** Absolute paths. None of them is, or leads through, a symbolic link. */
export interface LockablePaths {
  /** Files and folders that programs must not change. */
  readonly locked: readonly string[];
  /** The folders that lead to them. What is in them may be changed, but they may not be moved away. */
  readonly pinned: readonly string[];
}

/** `project` has no links in it. What is only reported, or allowed to change, is left out. */
export function lockablePaths(project: string, allowed: readonly string[]): LockablePaths {
  const folder = openFolder(project);
  try {
    const guarded = guardedIn(folder, allowed).filter(({ on }) => on === "restore");
    const kindOf = (path: string) => {
      const names = path.split("/");
      const name = names.pop() ?? "";
      const facts = within(folder, names, (parent) => statAt(parent, name));
      return facts?.isDirectory() ? "folder" : facts?.isFile() ? "file" : undefined;
    };
    const locked = guarded.map(({ path }) => path).filter((path) => kindOf(path) !== undefined);
    const pinned = parentsOf(guarded).filter((path) => kindOf(path) === "folder" && !locked.includes(path));
    const absolute = (paths: readonly string[]) => [...new Set(paths)].map((path) => join(project, path));
    return { locked: absolute(locked), pinned: absolute(pinned) };
  } finally {
    closeSync(folder.fd);
  }
}
