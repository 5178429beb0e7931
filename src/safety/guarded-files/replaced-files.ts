/**
 * Copies of what a restore of guarded files has replaced. A person may have written it while a program of the sandbox
 * ran, and limpet cannot tell which of them did. The last few copies are kept, where programs of a sandbox cannot read
 * them.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { GuardedEntry } from "./guarded-entry.ts";

/** One folder for each check that restored something. */
const MAX_FOLDERS = 20;
const MAX_FOLDER_BYTES = 8 * 1024 * 1024;

/** What a path was before it was restored. */
export interface ReplacedFile {
  /** Relative to the project. */
  readonly path: string;
  readonly entry: GuardedEntry;
}

/** A folder with copies, each at its path in the project. */
export interface KeptFiles {
  readonly folder: string;
  readonly paths: ReadonlySet<string>;
}

export class ReplacedFiles {
  readonly #directory: string;
  #count = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Undefined if there is nothing that can be kept. */
  keep(project: string, files: readonly ReplacedFile[]): KeptFiles | undefined {
    const kept = withinBound(files);
    if (kept.length === 0) return undefined;
    this.#count += 1;
    const time = new Date().toISOString().replaceAll(":", "-");
    const folder = join(
      this.#directory,
      `${time}-${process.pid}-${String(this.#count).padStart(6, "0")}-${basename(project)}`,
    );
    try {
      for (const file of kept) write(folder, file);
      this.#prune();
      return { folder, paths: new Set(kept.map(({ path }) => path)) };
    } catch {
      // The disk is full, or somebody else owns the directory. That must not prevent a restore.
      return undefined;
    }
  }

  #prune(): void {
    const folders = readdirSync(this.#directory).sort();
    for (const old of folders.slice(0, -MAX_FOLDERS)) rmSync(join(this.#directory, old), { recursive: true });
  }
}

/** Never writes a link: files below it would go where the link leads, which a program of the sandbox chose. */
function write(folder: string, { path, entry }: ReplacedFile): void {
  const content =
    entry.kind === "link" ? `A link to ${entry.target}\n` : entry.kind === "file" ? entry.bytes : undefined;
  if (content === undefined) return;
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, content, { mode: 0o600, flag: "wx" });
}

function withinBound(files: readonly ReplacedFile[]): readonly ReplacedFile[] {
  let left = MAX_FOLDER_BYTES;
  return files.filter(({ entry }) => {
    if (entry.kind === "link") return true;
    if (entry.kind !== "file" || !entry.bytes) return false;
    left -= entry.bytes.length;
    return left >= 0;
  });
}
