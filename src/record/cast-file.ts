/**
 * A recording's file while it is written: whole lines, only ever added at the end. Where the disk takes a part of them, that part is
 * taken back, so the file ends on a clean border.
 */
import { type FileHandle, open } from "node:fs/promises";
import { LimpetError } from "../base/limpet-error.ts";
import { withTimeout } from "../base/with-timeout.ts";

/** A disk that has done nothing for this long does not answer, and a session must not wait for it. */
const PATIENCE_MS = 5_000;

export class CastFile {
  readonly #file: FileHandle;
  #bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Only ours to read. Never writes over a file that is there. */
  static async create(path: string): Promise<CastFile> {
    try {
      return new CastFile(await open(path, "wx", 0o600));
    } catch (cause) {
      const { code = String(cause) } = cause as NodeJS.ErrnoException;
      const next = code === "EEXIST" ? "Remove it, or give another name" : "Give a file that can be made";
      const what = code === "EEXIST" ? "is there already" : `cannot be made (${code})`;
      throw new LimpetError("CANNOT_RECORD", `The file ${path} ${what}. ${next}.`, { cause });
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Rejects with the disk's own reason; then nothing of `lines` is in the file. */
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
