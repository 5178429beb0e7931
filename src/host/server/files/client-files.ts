/** The files that one client sends and fetches. What it has not finished when it disconnects is discarded. */
import { randomUUID } from "node:crypto";
import { LimpetError } from "../../../base/limpet-error.ts";
import { type FileAccess, ownFiles, type ReceivingFile } from "../../files/file-access.ts";
import type { CopiedFile, FileOffer, FilePart } from "../../files/file-parts.ts";
import { inHome } from "../at-home.ts";

/** Each has an open file. */
const MAX_UPLOADS = 8;

interface ClientFilesOptions {
  /** Default: the files of this machine. */
  readonly access?: FileAccess | undefined;
  /** What paths are relative to. Default: the user's home directory. */
  readonly home?: string | undefined;
}

export class ClientFiles {
  readonly #access: FileAccess;
  readonly #home: string | undefined;
  readonly #uploads = new Map<string, ReceivingFile>();
  #uploadCount = 0;
  #isClosed = false;

  constructor({ access = ownFiles, home }: ClientFilesOptions) {
    this.#access = access;
    this.#home = home;
  }

  async begin(offer: FileOffer): Promise<{ readonly upload: string; readonly path: string }> {
    if (this.#uploadCount >= MAX_UPLOADS)
      throw new LimpetError("FILE_FAILED", `${MAX_UPLOADS} files are being sent already. Wait for one of them.`);
    this.#uploadCount += 1;
    try {
      const slash = /\/$|(^|\/)\.{1,2}$|^~$/.test(offer.path) ? "/" : "";
      const file = await this.#access.receive({ ...offer, path: inHome(offer.path, this.#home) + slash });
      if (this.#isClosed) {
        await file.discard();
        throw new LimpetError("FILE_FAILED", "The client has disconnected. Copy the file again.");
      }
      const upload = randomUUID();
      this.#uploads.set(upload, file);
      return { upload, path: file.path };
    } catch (error) {
      this.#uploadCount -= 1;
      throw error;
    }
  }

  async chunk(upload: string, data: Uint8Array): Promise<void> {
    await this.#get(upload).write(data);
  }

  async end(upload: string, sha256: string): Promise<CopiedFile> {
    return await this.#take(upload).end(sha256);
  }

  async abort(upload: string): Promise<void> {
    await this.#take(upload).discard();
  }

  fetch(path: string): AsyncIterable<FilePart> {
    return this.#access.send(inHome(path, this.#home));
  }

  /** The client has disconnected. */
  close(): void {
    this.#isClosed = true;
    for (const upload of [...this.#uploads.keys()]) void this.#take(upload).discard();
  }

  #get(upload: string): ReceivingFile {
    const file = this.#uploads.get(upload);
    if (file) return file;
    throw new LimpetError("FILE_FAILED", "The host does not know this file any more. Copy it again.");
  }

  #take(upload: string): ReceivingFile {
    const file = this.#get(upload);
    this.#uploads.delete(upload);
    this.#uploadCount -= 1;
    return file;
  }
}
