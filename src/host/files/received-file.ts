/** A file that arrives in chunks: written beside its destination, checked, and moved there. */
import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { fileError } from "./file-error.ts";
import type { CopiedFile, FileOffer } from "./file-parts.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

export class ReceivedFile {
  readonly path: string;
  readonly #beside: string;
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  #bytes = 0;
  /** Chunks are written in the order of their arrival. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(path: string, beside: string, file: FileHandle) {
    this.path = path;
    this.#beside = beside;
    this.#file = file;
  }

  /** `path`: absolute. */
  static async begin({ path, name, mode }: FileOffer): Promise<ReceivedFile> {
    try {
      const target = await targetOf(path, name);
      const beside = join(dirname(target), `.${basename(target).slice(0, 200)}.${randomBytes(6).toString("hex")}`);
      const file = await open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      await file.chmod(mode & 0o777);
      return new ReceivedFile(target, beside, file);
    } catch (error) {
      throw fileError("write", path, error);
    }
  }

  async write(chunk: Uint8Array): Promise<void> {
    const before = this.#last;
    const written = (async () => {
      await before;
      this.#hash.update(chunk);
      this.#bytes += chunk.length;
      await this.#file.writeFile(chunk);
    })();
    this.#last = written;
    await written.catch((error: unknown) => {
      throw fileError("write", this.path, error);
    });
  }

  /** The file appears at the destination only when it is complete. Without `sha256`, the sender has checked it. */
  async end(sha256?: string): Promise<CopiedFile> {
    try {
      await this.#last;
      if (sha256 !== undefined && this.#hash.digest("hex") !== sha256)
        throw new LimpetError("FILE_FAILED", `${this.path} arrived damaged. Copy it again.`);
      await this.#file.datasync();
      await this.#file.close();
      await rename(this.#beside, this.path);
      return { path: this.path, bytes: this.#bytes };
    } catch (error) {
      await this.discard();
      throw fileError("write", this.path, error);
    }
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#file.close().catch(() => undefined);
    await rm(this.#beside, { force: true }).catch(() => undefined);
  }
}

/** Where the file goes: into a directory under its own name, else to the path itself; through a symbolic link. */
async function targetOf(path: string, name: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  const target = path.endsWith("/") || found?.isDirectory() ? join(path, requireName(name, path)) : path;
  const there = target === path ? found : await stat(target).catch(() => undefined);
  if (!there) return target;
  if (!there.isFile())
    throw new LimpetError("FILE_FAILED", `${target} exists and is not a regular file. Use another path.`);
  return await realpath(target);
}

/** What comes from stdin has no name. */
function requireName(name: string, directory: string): string {
  if (name !== "" && name === basename(name) && name !== "." && name !== "..") return name;
  throw new LimpetError("FILE_FAILED", `${directory} is a directory. Add the name of the file to the path.`);
}
