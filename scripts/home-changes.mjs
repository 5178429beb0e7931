/** What changed in a home: dot files by size and time, and what is new in the folders that programs settle in. */
import { statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { list } from "./proc.mjs";

const settled = [".config", ".local/share", ".local/state"];

/** A program that knows no HOME asks the system for one. */
export function ownHomes() {
  return [...new Set([homedir(), userInfo().homedir])];
}

/** Paths, each with what is to stay as it is. */
export function lookAtHomes(homes) {
  return new Map(homes.flatMap((home) => [...dotFiles(home), ...settlements(home)]));
}

/** The paths that differ. */
export function changedPaths(before, now) {
  return [...new Set([...before.keys(), ...now.keys()])].filter((path) => before.get(path) !== now.get(path)).sort();
}

function dotFiles(home) {
  return list(home)
    .filter((name) => name.startsWith("."))
    .map((name) => [join(home, name), describe(join(home, name))]);
}

function settlements(home) {
  return settled.flatMap((folder) => list(join(home, folder)).map((name) => [join(home, folder, name), "there"]));
}

/** A folder changes with everything in it: that it is there is all that counts. */
function describe(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? `${stats.size} bytes of ${stats.mtimeMs}` : "there";
}
