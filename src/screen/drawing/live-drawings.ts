/** All drawings of this process that take memory. A bound limits the cells of all of them together. */
import { MAX_LIVE_SCREEN_CELLS } from "../../base/limits.ts";

/** A screen that is drawn now. */
export interface LiveDrawing {
  cells(): number;
  /** Somebody waits for something on it: it stays. */
  isWatched(): boolean;
  /** Frees its memory as soon as nobody reads it. */
  evict(): void;
}

export class LiveDrawings {
  readonly #maxCells: number;
  /** Those that were seen longest ago come first. */
  readonly #drawings = new Set<LiveDrawing>();

  constructor(maxCells: number) {
    this.#maxCells = maxCells;
  }

  get count(): number {
    return this.#drawings.size;
  }

  get cells(): number {
    let cells = 0;
    for (const drawing of this.#drawings) cells += drawing.cells();
    return cells;
  }

  /**
   * Call when a drawing is made and when it is seen. Others that are not being watched make room for it, least recently
   * seen first.
   */
  touch(drawing: LiveDrawing): void {
    this.#drawings.delete(drawing);
    this.#drawings.add(drawing);
    let excess = this.cells - this.#maxCells;
    for (const other of this.#drawings) {
      if (excess <= 0) return;
      if (other === drawing || other.isWatched()) continue;
      excess -= other.cells();
      this.#drawings.delete(other);
      other.evict();
    }
  }

  /** Call when its memory is free. */
  delete(drawing: LiveDrawing): void {
    this.#drawings.delete(drawing);
  }
}

export const liveDrawings: LiveDrawings = new LiveDrawings(MAX_LIVE_SCREEN_CELLS);
