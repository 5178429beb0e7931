/** A client's configuration file: replaced atomically, with a backup next to it. */
import { copyFile, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { makeDirectory } from "../../base/make-directory.ts";

/** Empty if the file does not exist. */
export async function readConfig(file: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    if (cause instanceof TypeError) {
      throw new LimpetError("BAD_CONFIG", `${file} is not UTF-8 text. Fix it and try again.`, { cause });
    }
    throw unreachable(file, cause);
  }
}

export async function fileExists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

/** Returns the path of the backup; null if there was no file. */
export async function replaceConfig(file: string, text: string): Promise<string | null> {
  try {
    await makeDirectory(dirname(file), 0o777);
    // A symbolic link stays one.
    const target = await realpath(file).catch(() => file);
    const previous = await stat(target).catch(() => undefined);
    const backup = previous ? await freeName(target) : null;
    if (backup) await copyFile(target, backup);
    await writeWhole(target, text, previous?.mode ?? 0o600);
    return backup;
  } catch (cause) {
    throw unreachable(file, cause);
  }
}

async function writeWhole(target: string, text: string, mode: number): Promise<void> {
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.new`);
  try {
    const handle = await open(draft, "wx", mode & 0o777);
    try {
      await handle.writeFile(text);
      await handle.chmod(mode & 0o777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function freeName(target: string): Promise<string> {
  for (let count = 0; ; count += 1) {
    const name = `${target}.bak${count === 0 ? "" : count}`;
    if (!(await fileExists(name))) return name;
  }
}

function unreachable(file: string, cause: unknown): LimpetError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LimpetError(
    "BAD_CONFIG",
    `${file} cannot be read or written (${reason}). Check its permissions, or add the printed configuration by hand.`,
    { cause },
  );
}
