/**
 * Reads a non-blocking descriptor as chunks: through Node's own stream while the program runs, and directly when
 * its exit asks for all that is left.
 *
 * All readers share one buffer: a chunk is handed on in the same turn in which it was read.
 */
import { Socket } from "node:net";
import { ReadStream } from "node:tty";
import { DRAIN_BYTES, READ_BYTES } from "../base/limits.ts";
import { libc } from "../pty/libc.ts";

const F_GETPIPE_SZ = 1032;
const shared = Buffer.alloc(READ_BYTES);

export interface FdReaderOptions {
  readonly fd: number;
  readonly kind: "terminal" | "pipe";
  readonly onChunk: (bytes: Uint8Array) => void;
  /** Once: no more can follow, and the descriptor is closed. */
  readonly onEnd: () => void;
}

export class FdReader {
  readonly #options: FdReaderOptions;
  readonly #stream: Socket;
  #isEnded = false;

  constructor(options: FdReaderOptions) {
    this.#options = options;
    this.#stream = openStream(options, (bytes) => this.#take(bytes));
    // A terminal whose other side is gone reads as an error (EIO), a pipe as its end: both only mean that it is over.
    this.#stream.on("error", () => this.#end());
    this.#stream.on("end", () => this.#end());
    this.#stream.on("close", () => this.#end());
    this.#stream.resume();
  }

  /** Takes what the kernel holds now, in this turn. Bounded, for somebody may be writing on. */
  drain(): void {
    const most = Math.max(DRAIN_BYTES, this.#pipeBytes());
    let taken = 0;
    // A stream that found its end has closed the descriptor, whose number may be another session's by now.
    while (!this.#isEnded && !this.#stream.destroyed && taken < most) {
      const count = libc.read(this.#options.fd, shared, shared.length);
      if (count <= 0) return;
      taken += count;
      this.#take(shared.subarray(0, count));
    }
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  close(): void {
    this.#end();
  }

  /** A program may have enlarged its pipe, to a megabyte and beyond. */
  #pipeBytes(): number {
    const { fd, kind } = this.#options;
    return kind === "pipe" && !this.#isEnded && !this.#stream.destroyed ? libc.fcntl(fd, F_GETPIPE_SZ, 0) : 0;
  }

  #take(bytes: Uint8Array): void {
    if (!this.#isEnded) this.#options.onChunk(bytes);
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stream.destroy();
    this.#options.onEnd();
  }
}

function openStream({ fd, kind }: FdReaderOptions, onChunk: (bytes: Uint8Array) => void): Socket {
  const onread = {
    buffer: shared,
    callback: (count: number) => {
      onChunk(shared.subarray(0, count));
      return true;
    },
  };
  // ReadStream hands its options on to Socket, though its types do not say so.
  return kind === "terminal"
    ? new ReadStream(fd, { onread } as ConstructorParameters<typeof ReadStream>[1])
    : new Socket({ fd, readable: true, writable: false, onread } as ConstructorParameters<typeof Socket>[0]);
}
