/**
 * Finds changes in a home directory: dot files by size and time, and new entries in the folders where programs store
 * data.
 */
import { statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { list } from "./proc.mjs";

const settled = [".config", ".local/share", ".local/state"];

/** A program without HOME asks the system for the home directory. */
export function ownHomes() {
  return [...new Set([homedir(), userInfo().homedir])];
}

/** Maps each path to what must not change about it. */
export function readHomes(homes) {
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

/** A folder changes with everything in it, so only its existence counts. */
function describe(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? `${stats.size} bytes of ${stats.mtimeMs}` : "there";
}
