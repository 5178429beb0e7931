/**
 * The stills of an animation while they are collected. If there are too many, or they contain too much, stills that are
 * close together become one, at longer and longer intervals. So memory is bounded however long a recording is, and the
 * last still is always kept.
 */
import { MAX_ANIMATION_BYTES, MAX_STILLS, STILL_INTERVAL_MS } from "../../base/limits.ts";
import { looksLike, type Still } from "./still.ts";

interface ReelOptions {
  readonly mostStills?: number;
  /** Of all rows that differ: a document is never smaller than these. */
  readonly mostBytes?: number;
}

export class Reel {
  readonly #mostStills: number;
  readonly #mostBytes: number;
  #stills: Still[] = [];
  /** Each row once, whatever number of stills it is part of. */
  #rows = new Map<string, string>();
  #bytes = 0;
  #intervalMs: number = STILL_INTERVAL_MS;

  constructor({ mostStills = MAX_STILLS, mostBytes = MAX_ANIMATION_BYTES }: ReelOptions = {}) {
    this.#mostStills = mostStills;
    this.#mostBytes = mostBytes;
  }

  get stills(): readonly Still[] {
    return this.#stills;
  }

  /** Of what happens within this time, only the outcome is shown. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** In order. */
  add(still: Still): void {
    this.#join(still);
    while (this.#isTooMuch() && this.#stills.length > 1) this.coarsen();
  }

  /** Half as many stills, or fewer. */
  coarsen(): void {
    this.#intervalMs *= 2;
    this.#rebuild();
  }

  #isTooMuch(): boolean {
    // Rows of stills that were replaced are still counted.
    if (this.#bytes > this.#mostBytes) this.#rebuild();
    return this.#bytes > this.#mostBytes || this.#stills.length > this.#mostStills;
  }

  #rebuild(): void {
    const stills = this.#stills;
    this.#stills = [];
    this.#rows = new Map();
    this.#bytes = 0;
    for (const still of stills) this.#join(still);
  }

  #join(still: Still): void {
    const last = this.#stills.at(-1);
    const isClose = last !== undefined && still.atMs - last.atMs < this.#intervalMs;
    if (isClose) this.#stills.pop();
    const atMs = isClose ? last.atMs : still.atMs;
    const before = this.#stills.at(-1);
    if (before !== undefined && looksLike(before, still)) return;
    this.#stills.push({
      ...still,
      atMs,
      grounds: still.grounds.map((row) => this.#shared(row)),
      texts: still.texts.map((row) => this.#shared(row)),
    });
  }

  #shared(row: string): string {
    const known = this.#rows.get(row);
    if (known !== undefined) return known;
    this.#rows.set(row, row);
    this.#bytes += row.length;
    return row;
  }
}
