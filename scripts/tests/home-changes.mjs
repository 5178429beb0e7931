/**
 * Finds changes in a home directory: dot files by their content, and new entries in the folders where programs store
 * data.
 */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { list } from "./proc.mjs";

const maxHashedBytes = 4 * 1024 * 1024;
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

/**
 * A folder changes with everything in it, so only its existence counts. A file that is written anew with the same
 * content has not changed: the tools that prepare the user's account may do that at any time.
 */
function describe(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return "there";
  return stats.size > maxHashedBytes ? `${stats.size} bytes of ${stats.mtimeMs}` : hashOf(path);
}

function hashOf(path) {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    // It cannot be read, or is gone again.
    return "there";
  }
}
