/**
 * Follows one stream of bytes through an automaton. The stream arrives in runs, which need not be next to each other in
 * the journal: between them may be control sequences, or the output of another stream.
 */
import type { Cursor } from "../../base/cursor.ts";
import type { Automaton } from "./automaton.ts";

/** Called with the range of cursors to mask. */
export type Mask = (from: Cursor, to: Cursor) => void;

/** Bytes that follow each other in the journal. */
interface Piece {
  readonly cursor: Cursor;
  readonly length: number;
}

const NOTHING: readonly Piece[] = [];

export class FormMatcher {
  readonly #automaton: Automaton;
  #state = 0;
  /** Where the bytes are that the state stands for. */
  #trail = NOTHING;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
  }

  /** Where the string begins that is incomplete so far; undefined if there is none. */
  get openFrom(): Cursor | undefined {
    return this.#trail[0]?.cursor;
  }

  isLike(other: FormMatcher): boolean {
    return this.#state === other.#state && this.openFrom === other.openFrom;
  }

  copy(other: FormMatcher): void {
    this.#state = other.#state;
    this.#trail = other.#trail;
  }

  /** Scans `bytes[from..to)`; `cursor` is where its first byte is in the journal. */
  scan(bytes: Uint8Array, { from, to, cursor }: { from: number; to: number; cursor: Cursor }, mask: Mask): void {
    const automaton = this.#automaton;
    let state = this.#state;
    for (let at = from; at < to; at++) {
      if (state === 0) {
        at = automaton.skip(bytes, at, to);
        if (at === to) break;
      }
      state = automaton.step(state, bytes[at] as number);
      const found = automaton.found(state);
      if (found > 0) this.#maskLast(found, { cursor, length: at + 1 - from }, mask);
      state = automaton.resting(state);
    }
    this.#state = state;
    this.#trail =
      state === 0 ? NOTHING : lastOf([...this.#trail, { cursor, length: to - from }], automaton.depth(state));
  }

  /** Masks the bytes of an incomplete string if they reveal too much of it. */
  maskIncomplete(mask: Mask): void {
    const telling = this.#automaton.telling(this.#state);
    for (const { cursor, length } of lastOf(this.#trail, telling)) mask(cursor, cursor + length);
  }

  #maskLast(count: number, run: Piece, mask: Mask): void {
    const end = run.cursor + run.length;
    if (count <= run.length) mask(end - count, end);
    else for (const { cursor, length } of lastOf([...this.#trail, run], count)) mask(cursor, cursor + length);
  }
}

/** Pure: the last `count` bytes of what the pieces make together. */
function lastOf(pieces: readonly Piece[], count: number): readonly Piece[] {
  const last: Piece[] = [];
  let left = count;
  for (let at = pieces.length - 1; at >= 0 && left > 0; at--) {
    const { cursor, length } = pieces[at] as Piece;
    const taken = Math.min(left, length);
    if (taken > 0) last.unshift({ cursor: cursor + length - taken, length: taken });
    left -= taken;
  }
  return last;
}
