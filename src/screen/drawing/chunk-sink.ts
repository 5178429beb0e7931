/**
 * Collects text for the terminal in chunks that each take little time, because drawing can pause only between two
 * chunks. Cost is counted in bytes of plain text.
 *
 * Invalid UTF-8 becomes U+FFFD. The library could decode by itself, but it loses characters whose bytes arrive apart,
 * such as a dash or a quotation mark.
 */
import { SCREEN_CHUNK_COST } from "../../base/limits.ts";
import { incompleteTail } from "../../text/clean/incomplete-tail.ts";

/** The longest sequence, which is added in one piece: CSI with all its numbers. */
const LONGEST_SEQUENCE_BYTES = 256;
/** A few milliseconds of line feeds. */
const MOST_CELL_MOVES = 20_000_000;

export class ChunkSink {
  /** The most that one chunk may cost. */
  #most: number = SCREEN_CHUNK_COST;
  #chunks: string[] = [];
  readonly #bytes: Buffer = Buffer.alloc(SCREEN_CHUNK_COST + LONGEST_SEQUENCE_BYTES);
  #used = 0;
  #cost = 0;

  /** A line feed moves every cell, so the more cells there are, the fewer bytes go into a chunk. */
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

  /** Adds bytes that belong together, and what it costs to carry them out. */
  sequence(bytes: Uint8Array, extraCost: number): void {
    const cost = bytes.length + extraCost;
    if (this.#cost > 0 && this.#cost + cost > this.#most) this.#cut();
    this.#add(bytes, 0, bytes.length);
    this.#cost += cost;
  }

  /** A character that is not complete yet never will be: it becomes U+FFFD. */
  breakOff(): void {
    const incomplete = incompleteTail(this.#bytes, this.#used);
    if (incomplete > 0) this.#used += this.#bytes.write("\ufffd", this.#used - incomplete) - incomplete;
  }

  /** Everything since the last call, except for a character that is not complete yet. */
  take(): readonly string[] {
    this.#cut();
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  #add(bytes: Uint8Array, from: number, to: number): void {
    this.#bytes.set(bytes.subarray(from, to), this.#used);
    this.#used += to - from;
  }

  #cut(): void {
    const incomplete = incompleteTail(this.#bytes, this.#used);
    const whole = this.#used - incomplete;
    if (whole > 0) this.#chunks.push(this.#bytes.toString("utf8", 0, whole));
    this.#bytes.copyWithin(0, whole, this.#used);
    this.#used = incomplete;
    this.#cost = incomplete;
  }
}
