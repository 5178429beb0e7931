/** Files that clients send to a host and fetch from it, as both sides see them. */

/** How much of a file one message contains: little memory, and few messages. */
export const FILE_CHUNK_BYTES: number = 256 * 1024;

/** A file that was copied. */
export interface CopiedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
}

/** What a client is about to send. */
export interface FileOffer {
  /** Relative to the home directory there. If it ends with a slash or is a directory, the file becomes `name` in it. */
  readonly path: string;
  /** The name of the file here. */
  readonly name: string;
  /** Permission bits. */
  readonly mode: number;
}

/** The parts of a file, in this order: one `file`, its chunks, one `end`. */
export type FilePart =
  | { readonly kind: "file"; readonly path: string; readonly bytes: number; readonly mode: number }
  | { readonly kind: "chunk"; readonly data: Uint8Array }
  | { readonly kind: "end"; readonly sha256: string };
