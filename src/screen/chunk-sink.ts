/**
 * Collects bytes for the terminal in chunks that each take little time: the terminal is left between two chunks, never
 * within one. Cost is counted in bytes of plain text.
 */
import { SCREEN_CHUNK_COST } from "../base/limits.ts";

/** The longest of what comes in one piece: a CSI sequence with all its numbers. */
const LONGEST_SEQUENCE_BYTES = 256;
/** A few milliseconds of line feeds. */
const MOST_CELL_MOVES = 20_000_000;

export class ChunkSink {
  /** What one chunk may cost. */
  #most: number = SCREEN_CHUNK_COST;
  #chunks: Uint8Array[] = [];
  readonly #chunk: Uint8Array = new Uint8Array(SCREEN_CHUNK_COST + LONGEST_SEQUENCE_BYTES);
  #used = 0;
  #cost = 0;

  /** A line feed moves every cell there is, so the more there are, the fewer bytes go into a chunk. */
  set cells(count: number) {
    this.#most = Math.round(Math.min(SCREEN_CHUNK_COST, Math.max(LONGEST_SEQUENCE_BYTES, MOST_CELL_MOVES / count)));
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; ) {
      if (this.#cost >= this.#most) this.#cut();
      const stop = Math.min(to, at + this.#most - this.#cost);
      this.#add(bytes, at, stop);
      this.#cost += stop - at;
      at = stop;
    }
  }

  /** Bytes that belong together, and what it costs to carry them out. */
  sequence(bytes: Uint8Array, extraCost: number): void {
    const cost = bytes.length + extraCost;
    if (this.#cost > 0 && this.#cost + cost > this.#most) this.#cut();
    this.#add(bytes, 0, bytes.length);
    this.#cost += cost;
  }

  /** All since the last call. */
  take(): readonly Uint8Array[] {
    this.#cut();
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  #add(bytes: Uint8Array, from: number, to: number): void {
    this.#chunk.set(bytes.subarray(from, to), this.#used);
    this.#used += to - from;
  }

  #cut(): void {
    if (this.#used > 0) this.#chunks.push(this.#chunk.slice(0, this.#used));
    this.#used = 0;
    this.#cost = 0;
  }
}
