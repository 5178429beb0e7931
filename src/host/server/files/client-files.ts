/** The files that one client sends and fetches. What it has not finished when it disconnects is discarded. */
import { randomUUID } from "node:crypto";
import { LimpetError } from "../../../base/limpet-error.ts";
import type { CopiedFile, FileOffer, FilePart } from "../../files/file-parts.ts";
import { ReceivedFile } from "../../files/received-file.ts";
import { sentFile } from "../../files/sent-file.ts";
import { inHome } from "../at-home.ts";

/** Each has an open file. */
const MAX_UPLOADS = 8;

export class ClientFiles {
  readonly #uploads = new Map<string, ReceivedFile>();
  #begun = 0;
  #isClosed = false;

  async begin(offer: FileOffer): Promise<{ readonly upload: string; readonly path: string }> {
    if (this.#begun >= MAX_UPLOADS)
      throw new LimpetError("FILE_FAILED", `${MAX_UPLOADS} files are being sent already. Wait for one of them.`);
    this.#begun += 1;
    try {
      const slash = /\/$|(^|\/)\.{1,2}$|^~$/.test(offer.path) ? "/" : "";
      const file = await ReceivedFile.begin({ ...offer, path: inHome(offer.path) + slash });
      if (this.#isClosed) {
        await file.discard();
        throw new LimpetError("FILE_FAILED", "The client has disconnected. Copy the file again.");
      }
      const upload = randomUUID();
      this.#uploads.set(upload, file);
      return { upload, path: file.path };
    } catch (error) {
      this.#begun -= 1;
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
    return sentFile(inHome(path));
  }

  /** The client has disconnected. */
  close(): void {
    this.#isClosed = true;
    for (const upload of [...this.#uploads.keys()]) void this.#take(upload).discard();
  }

  #get(upload: string): ReceivedFile {
    const file = this.#uploads.get(upload);
    if (file) return file;
    throw new LimpetError("FILE_FAILED", "The host does not know this file any more. Copy it again.");
  }

  #take(upload: string): ReceivedFile {
    const file = this.#get(upload);
    this.#uploads.delete(upload);
    this.#begun -= 1;
    return file;
  }
}
