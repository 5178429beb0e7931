/** Maps bytes that were read to cursors in the journal, of which parts may have been left out. */
interface Run {
  readonly read: number;
  readonly cursor: number;
}

export class CursorMap {
  readonly #runs: Run[] = [];

  /** The byte that follows the first `read` bytes is the one at `cursor` in the journal. */
  note(read: number, cursor: number): void {
    const last = this.#runs.at(-1);
    const isContinued = last !== undefined && cursor - last.cursor === read - last.read;
    if (!isContinued) this.#runs.push({ read, cursor });
  }

  /** The cursor of a byte. `read` counts from the first byte read. */
  cursorOf(read: number): number {
    const run = this.#runs.findLast((candidate) => candidate.read <= read) ?? this.#runs[0];
    return run ? run.cursor + Math.max(0, read - run.read) : 0;
  }
}
