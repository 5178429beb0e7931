/**
 * Pieces of a text that came when it was too long already. They are folded only if the end of the result may show them:
 * from the last one back, in small steps, when nothing follows. The others are in the part that is cut.
 */
import { type Folded, type FoldOptions, RepeatFold } from "../fold/fold-repeats.ts";
import type { CursorMark } from "./given-text.ts";

export interface LatePiece {
  /** The text, in parts of some kilobytes. */
  readonly parts: readonly string[];
  readonly originalStart: number;
  readonly marks: readonly CursorMark[];
}

interface Waiting {
  readonly piece: LatePiece;
  folded?: Folded;
}

/** How many wait: even if these are folded to a hundredth, they fill the end of most results. */
const MOST = 8;

export class LatePieces {
  readonly #options: FoldOptions;
  readonly #waiting: Waiting[] = [];

  constructor(options: FoldOptions) {
    this.#options = options;
  }

  /** Returns the oldest one if too many wait. */
  add(piece: LatePiece): LatePiece | undefined {
    this.#waiting.push({ piece });
    return this.#waiting.length > MOST ? this.#waiting.shift()?.piece : undefined;
  }

  /** Folds as many as fill `units` of UTF-16. Yields after each part, which takes some tenths of a millisecond. */
  *fold(units: number): Generator<void> {
    let left = units;
    for (const waiting of this.#waiting.toReversed()) {
      if (left <= 0) return;
      waiting.folded ??= yield* this.#foldOne(waiting.piece);
      left -= waiting.folded.text.length;
    }
  }

  /** All that wait, in order, with those folded that `fold` has reached. */
  takeAll(): { readonly piece: LatePiece; readonly folded: Folded }[] {
    return this.#waiting.splice(0).map(({ piece, folded }) => ({ piece, folded: folded ?? unfolded(piece) }));
  }

  *#foldOne({ parts }: LatePiece): Generator<void, Folded> {
    const fold = new RepeatFold(this.#options);
    for (const part of parts) {
      fold.push(part);
      yield;
    }
    return fold.finish();
  }
}

export function unfolded({ parts }: Pick<LatePiece, "parts">): Folded {
  return { text: parts.join(""), foldedLines: 0, hiddenLines: 0, joints: [] };
}
