/**
 * Compiled code of files, kept on disk between starts. The engine trusts what it is given, so only files of this user
 * that nobody else can write are read, from a folder that no sandboxed program can reach.
 *
 * A file has the code twice: if both are equal, the disk has damaged neither. A checksum would take longer, because
 * what computes it would have to be loaded first.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const OTHERS_WRITE = 0o022;
/** Older code belongs to versions that are no longer installed; current code is compiled again. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

export class CodeCache {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Undefined if the cache has no code for this file in its current form and this version of Node. */
  read(file: string): Buffer | undefined {
    try {
      const fd = openSync(this.#pathFor(file), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const { uid, mode } = fstatSync(fd);
        return uid === process.geteuid?.() && (mode & OTHERS_WRITE) === 0 ? undamaged(readFileSync(fd)) : undefined;
      } finally {
        closeSync(fd);
      }
    } catch {
      return undefined;
    }
  }

  /** If the cache cannot be written, the next start compiles the file again. */
  write(file: string, code: Buffer): void {
    try {
      this.#makeDirectory();
      const path = this.#pathFor(file);
      writeFileSync(`${path}.${process.pid}`, Buffer.concat([code, code]), { mode: 0o600, flag: "wx" });
      renameSync(`${path}.${process.pid}`, path);
    } catch {
      // A full or read-only disk, or a file that is gone.
    }
  }

  /** Removes what was written long ago. */
  removeOld(nowMs: number): void {
    try {
      for (const name of readdirSync(this.#directory)) {
        const path = join(this.#directory, name);
        if (nowMs - lstatSync(path).mtimeMs > MAX_AGE_MS) rmSync(path, { force: true });
      }
    } catch {
      // Another process may have removed the same files.
    }
  }

  /** A file that is replaced has another inode or another time of change, which nobody can choose. */
  #pathFor(file: string): string {
    const { size, ino, ctimeMs, mtimeMs } = statSync(file);
    const identity = [process.version, process.arch, size, ino, ctimeMs, mtimeMs].join("-");
    return join(this.#directory, `${basename(file)}-${identity}`);
  }

  /** Not recursive: a home directory that was deleted is not created again. */
  #makeDirectory(): void {
    const limpet = dirname(this.#directory);
    for (const path of [dirname(limpet), limpet, this.#directory]) {
      if (statSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path, { mode: 0o700 });
    }
  }
}

function undamaged(twice: Buffer): Buffer | undefined {
  const code = twice.subarray(0, twice.length / 2);
  return code.length > 0 && code.equals(twice.subarray(twice.length / 2)) ? code : undefined;
}
