/**
 * Which test files need a process of their own. All others share one with the files before them: loading the modules
 * again for each file took a fifth of the whole run.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files below `folders`, as paths from the root of the project. */
export function filesInOwnProcess(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)))
    .filter((path) => path.endsWith(".test.ts") && needsOwnProcess(readFileSync(path, "utf8")));
}

/**
 * A guarded file counts what its process holds, so nothing of another file may be there. A file that runs the tests of
 * others would find them loaded already, and run none. Any other file says so itself, and why: `@own-process`.
 */
function needsOwnProcess(source: string): boolean {
  return /\bguardEveryCase\(|\.test\.ts"|suite\.ts"|@own-process/.test(source);
}
