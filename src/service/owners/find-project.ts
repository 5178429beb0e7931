/** Finds the project that a directory belongs to. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** What the root of a repository contains: git (a file in worktrees and submodules), Mercurial, Jujutsu, and others. */
const MARKS = [".git", ".hg", ".jj", ".sl", ".svn", ".bzr", ".pijul", "_darcs", ".fslckout"];

/** The root of the nearest repository around the directory, else the directory itself. Links are resolved. */
export function findProject(directory: string): string {
  const start = realOf(resolve(directory));
  for (let folder = start; ; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** A directory that is gone or hidden keeps its name. */
function realOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
