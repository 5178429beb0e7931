/**
 * Which test files need a process of their own, and which share one only with files that leave nothing in it. All
 * others share one with the files before them: loading the modules again for each file took a fifth of the whole run.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type ProcessNeed = "own" | "guarded" | "any";

/** The files below `folders` with that need, as paths from the root of the project. */
export function filesThatNeed(need: ProcessNeed, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)))
    .filter((path) => path.endsWith(".test.ts") && needOf(readFileSync(path, "utf8")) === need);
}

/**
 * A file that runs the tests of others would find them loaded already, and run none. A guarded file counts what its
 * process holds, so only other guarded files may come before it. Any other file that needs a process of its own says
 * so, and why: `@own-process`.
 */
function needOf(source: string): ProcessNeed {
  if (/\.test\.ts"|suite\.ts"|@own-process/.test(source)) return "own";
  return /\bguardEveryCase\(/.test(source) ? "guarded" : "any";
}
