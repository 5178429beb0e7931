/** Deletes the files of shells whose process was killed before it could delete them. */
import { closeSync, constants, openSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { libc } from "../../linux/libc.ts";
import { removeShellFiles, SHELL_FILES_PREFIX } from "./shell-files.ts";

const LOCK_EX = 2;
const LOCK_NB = 4;
/** A younger directory may not be locked yet. */
const MIN_AGE_MS = 60_000;

let swept: Promise<void> | undefined;

/** Looks once per process. Never rejects. */
export function sweepShellFiles(): Promise<void> {
  swept ??= sweep(tmpdir());
  return swept;
}

async function sweep(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(SHELL_FILES_PREFIX))) {
    const directory = join(root, name);
    const facts = await stat(directory).catch(() => undefined);
    if (!facts?.isDirectory() || facts.uid !== process.getuid?.()) continue;
    if (Date.now() - facts.mtimeMs > MIN_AGE_MS && !isLocked(join(directory, "c"))) removeShellFiles(directory);
  }
}

/** The lock ends with its process, whatever ended that. A file that is missing is not locked. */
function isLocked(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
  try {
    return libc.flock(file, LOCK_EX | LOCK_NB) !== 0;
  } finally {
    closeSync(file);
  }
}
