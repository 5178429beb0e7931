/**
 * The file of a recording while it is written. Complete lines are appended. If the disk accepts only a part of them,
 * that part is removed, so that the file always ends with a complete line.
 */
import { type FileHandle, open } from "node:fs/promises";
import { withTimeout } from "../base/async/with-timeout.ts";
import { LimpetError } from "../base/limpet-error.ts";

/** A disk without progress for this long counts as hung, and a session must not wait for it. */
const PATIENCE_MS = 5_000;

export class CastFile {
  readonly #file: FileHandle;
  #bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates a file that only this user can read. Never overwrites an existing file. */
  static async create(path: string): Promise<CastFile> {
    try {
      return new CastFile(await open(path, "wx", 0o600));
    } catch (cause) {
      const { code = String(cause) } = cause as NodeJS.ErrnoException;
      const next = code === "EEXIST" ? "Remove it, or pass another name" : "Pass a path where a file can be created";
      const what = code === "EEXIST" ? "already exists" : `cannot be created (${code})`;
      throw new LimpetError("CANNOT_RECORD", `The file ${path} ${what}. ${next}.`, { cause });
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Rejects with the error of the disk; then no part of `lines` is in the file. */
  async append(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    const isDone = await withTimeout(PATIENCE_MS, this.#write(bytes));
    if (!isDone) throw new Error("the disk does not answer");
    this.#bytes += bytes.length;
  }

  async #write(bytes: Uint8Array): Promise<true> {
    try {
      for (let at = 0; at < bytes.length; )
        at += (await this.#file.write(bytes, at, bytes.length - at, this.#bytes + at)).bytesWritten;
      return true;
    } catch (error) {
      await this.#file.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await withTimeout(
      PATIENCE_MS,
      this.#file.close().catch(() => undefined),
    );
  }
}
