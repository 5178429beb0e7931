/**
 * Directories and those above them, made one by one: the `recursive` of Node 20 never ends where the one above exists and
 * mkdir still finds nothing, as in /proc.
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

/** Does the same without blocking. */
export async function makeDirectory(path: string, mode: number): Promise<boolean> {
  try {
    return await make();
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeDirectory(dirname(path), mode);
    return await make();
  }

  async function make(): Promise<boolean> {
    try {
      await mkdir(path, { mode });
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    }
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
