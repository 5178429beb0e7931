/**
 * Creates a directory and its parents one by one. With `recursive`, Node 20 loops forever if the parent exists and
 * mkdir still fails with ENOENT, as in /proc.
 */
import { mkdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Returns false if something with that name exists. */
export function makeDirectorySync(path: string, mode: number): boolean {
  try {
    return make();
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    makeDirectorySync(dirname(path), mode);
    return make();
  }

  function make(): boolean {
    try {
      mkdirSync(path, { mode });
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    }
  }
}

/**
 * Does the same without blocking on a disk that hangs: the synchronous calls follow only after the disk has answered.
 */
export async function makeDirectory(path: string, mode: number): Promise<boolean> {
  return await mkdir(path, { mode }).then(
    () => true,
    () => makeDirectorySync(path, mode),
  );
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
