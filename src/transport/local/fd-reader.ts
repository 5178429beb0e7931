/**
 * Reads a non-blocking descriptor in chunks. Node's stream signals readiness and reads the first piece. During a flood
 * the rest is read directly in the same turn of the event loop, and so is everything left when the program exits.
 *
 * A terminal returns at most 4 KiB per read. One event loop turn per piece costs more than the piece itself, and a
 * program that writes a lot would have to wait for us.
 *
 * All readers share one buffer, so each chunk is passed on in the turn in which it was read.
 */
import { Socket } from "node:net";
import { ReadStream } from "node:tty";
import { DRAIN_BYTES, FLOOD_PIECE_BYTES, FLOOD_REST_MS, FLOOD_TURN_MS, READ_BYTES } from "../../base/limits.ts";
import { libc } from "../../linux/libc.ts";
import { isTypingElsewhere } from "../recent-typing.ts";

const F_GETPIPE_SZ = 1032;
const shared = Buffer.alloc(READ_BYTES);

export interface FdReaderOptions {
  readonly fd: number;
  readonly kind: "terminal" | "pipe";
  readonly onChunk: (bytes: Uint8Array) => void;
  /** Called once, when no more output can follow and the descriptor is closed. */
  readonly onEnd: () => void;
}

export class FdReader {
  readonly #options: FdReaderOptions;
  readonly #stream: Socket;
  #isEnded = false;
  #isPaused = false;
  #resting: NodeJS.Timeout | undefined;

  constructor(options: FdReaderOptions) {
    this.#options = options;
    this.#stream = openStream(options, {
      onChunk: (bytes) => this.#take(bytes),
      rest: () => this.#rest(),
    });
    // If the other side is closed, a terminal reports an error (EIO) and a pipe reports its end. Both mean the end of
    // output.
    this.#stream.on("error", () => this.#end());
    this.#stream.on("end", () => {
      // Node reports the end after a short read from a terminal whose other side is closed, although the kernel, which
      // returns at most 4 KiB per read, may hold more.
      this.drain();
      this.#end();
    });
    this.#stream.on("close", () => this.#end());
    this.#stream.resume();
  }

  /**
   * Synchronously reads what the kernel holds now. Bounded, because a process may keep writing. Default: what may be
   * there at an exit.
   */
  drain(mostBytes: number = Math.max(DRAIN_BYTES, this.#pipeBytes())): void {
    let taken = 0;
    // A stream that reached its end has closed the descriptor, and its number may be reused by another session.
    while (!this.#isEnded && !this.#stream.destroyed && taken < mostBytes) {
      const count = readOn(this.#options.fd, 0, { most: mostBytes - taken });
      if (count === 0) return;
      taken += count;
      this.#take(shared.subarray(0, count));
    }
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#resting) this.#stream.resume();
  }

  close(): void {
    this.#end();
  }

  /** Leaves the kernel's buffer full for a moment, so that the program waits. */
  #rest(): void {
    this.#stream.pause();
    this.#resting ??= setTimeout(() => {
      this.#resting = undefined;
      if (!this.#isPaused) this.#stream.resume();
    }, FLOOD_REST_MS);
  }

  /** A program may have enlarged its pipe to a megabyte or more. */
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
    clearTimeout(this.#resting);
    this.#stream.destroy();
    this.#options.onEnd();
  }
}

interface StreamUser {
  readonly onChunk: (bytes: Uint8Array) => void;
  /** Stops reading for a moment. */
  readonly rest: () => void;
}

function openStream({ fd, kind }: FdReaderOptions, { onChunk, rest }: StreamUser): Socket {
  const onread = {
    buffer: shared,
    callback: (count: number) => {
      const isFlood = count >= FLOOD_PIECE_BYTES;
      const end = isFlood ? readOn(fd, count, { untilMs: endOfFloodShare() }) : count;
      onChunk(shared.subarray(0, end));
      if (isFlood && isTypingElsewhere(fd)) rest();
      return true;
    },
  };
  // ReadStream passes its options to Socket, although its types do not say so.
  return kind === "terminal"
    ? new ReadStream(fd, { onread } as ConstructorParameters<typeof ReadStream>[1])
    : new Socket({ fd, readable: true, writable: false, onread } as ConstructorParameters<typeof Socket>[0]);
}

interface ReadLimits {
  /** How many bytes. Default: as many as fit. */
  readonly most?: number;
  readonly untilMs?: number;
}

/** Reads what the kernel holds into the shared buffer, from `start` on. Returns the end position. */
function readOn(
  fd: number,
  start: number,
  { most = shared.length, untilMs = Number.POSITIVE_INFINITY }: ReadLimits,
): number {
  const room = Math.min(shared.length, start + most);
  let end = start;
  while (end < room && performance.now() < untilMs) {
    const count = libc.read(fd, shared.subarray(end), room - end);
    // The stream reports errors and the end again at its next read, and handles them there.
    if (count <= 0) break;
    end += count;
  }
  return end;
}

/** Floods that were read in this turn of the loop, and in the one before. */
const floods = { now: 0, before: 0 };

/** All floods together get as long as one alone in a turn of the loop, so that others are served as soon. */
function endOfFloodShare(): number {
  if (floods.now === 0) setImmediate(endTurn);
  floods.now += 1;
  return performance.now() + FLOOD_TURN_MS / Math.max(floods.now, floods.before);
}

function endTurn(): void {
  floods.before = floods.now;
  floods.now = 0;
}
