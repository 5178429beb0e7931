/** Deletes the files of shells whose process was killed before it could delete them. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isLocked } from "../../linux/file-lock.ts";
import { shellFileRoots } from "./shell-files.ts";
import { LOCKED_NAME, NEW_SHELL_FILES_PREFIX, removeShellFiles, SHELL_FILES_PREFIX } from "./shell-paths.ts";

/** A directory that is being created is locked within microseconds, and gets its name after that. */
const MOST_CREATION_MS = 60_000;

/** Never rejects. */
export async function sweepShellFiles(): Promise<void> {
  for (const root of shellFileRoots()) {
    for (const name of await readdir(root).catch(() => [])) {
      if (await isStale(root, name)) removeShellFiles(join(root, name));
    }
  }
}

async function isStale(root: string, name: string): Promise<boolean> {
  const isNew = name.startsWith(NEW_SHELL_FILES_PREFIX);
  if (!isNew && !name.startsWith(SHELL_FILES_PREFIX)) return false;
  const directory = join(root, name);
  const facts = await stat(directory).catch(() => undefined);
  if (!facts?.isDirectory() || facts.uid !== process.getuid?.()) return false;
  if (isNew && Date.now() - facts.mtimeMs < MOST_CREATION_MS) return false;
  return !isLocked(join(directory, LOCKED_NAME));
}
