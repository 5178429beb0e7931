import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest directory above, or `directory` itself, that is a repository; else `directory`. */
export function repositoryRoot(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    // A directory, or a file in a worktree.
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return directory;
  }
}
