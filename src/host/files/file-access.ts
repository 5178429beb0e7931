/** The files that clients send to a host and fetch from it: on its machine, or where its programs run. */
import type { CopiedFile, FileOffer, FilePart } from "./file-parts.ts";
import { ReceivedFile } from "./received-file.ts";
import { sentFile } from "./sent-file.ts";

/** A file that arrives in chunks. The file appears at its path only when it is complete. */
export interface ReceivingFile {
  readonly path: string;
  write(chunk: Uint8Array): Promise<void>;
  end(sha256: string): Promise<CopiedFile>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** Paths are absolute. */
export interface FileAccess {
  receive(offer: FileOffer): Promise<ReceivingFile>;
  send(path: string): AsyncIterable<FilePart>;
}

export const ownFiles: FileAccess = { receive: (offer) => ReceivedFile.begin(offer), send: sentFile };
