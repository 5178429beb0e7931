/**
 * One way to fold a text that arrives in pieces, cut to a budget: what the result shows, and where in the original text
 * each part of it was.
 */
import { type Folded, type FoldOptions, RepeatFold, unfoldedByte } from "../fold/fold-repeats.ts";
import type { MarkOptions } from "../mark.ts";
import { fitTokens, type Tokenizer } from "./fit-tokens.ts";
import type { CursorMark } from "./given-text.ts";
import { HeadTail } from "./head-tail.ts";
import { LatePieces, unfolded } from "./late-pieces.ts";
import type { Truncated } from "./truncate-middle.ts";

export interface ViewOptions extends MarkOptions {
  readonly maxTokens: number;
  readonly tokenizer?: Tokenizer | undefined;
  /** Which lines to fold; undefined: none. */
  readonly fold: FoldOptions["lines"] | undefined;
}

/** A place in the text before it was folded, and how much had been read by then. */
interface OriginalMark {
  readonly original: number;
  readonly read: number;
}

interface Piece {
  /** Where it begins in the folded text, in bytes. */
  readonly start: number;
  /** The same in the original text. */
  readonly originalStart: number;
  readonly folded: Folded;
  readonly marks: readonly CursorMark[];
}

/** Text that is being folded, as one piece. */
interface OpenPiece {
  /** Undefined for a late piece, whose text is kept in `parts`. */
  readonly fold: RepeatFold | undefined;
  readonly parts: string[];
  readonly originalStart: number;
  marks: CursorMark[];
}

/** Per piece: enough to find a cut to within a fraction of a percent, and few enough to keep. */
const MOST_MARKS = 4_096;
const BYTES_PER_TOKEN = 4;
/** A tokenizer's budget may hold more bytes than the estimate says; at most this many. */
const MOST_BYTES_PER_TOKEN = 16;

export class FoldedView {
  readonly #options: ViewOptions;
  readonly #budget: number;
  readonly #ends: HeadTail;
  readonly #pieces: Piece[] = [];
  readonly #late: LatePieces;
  #open: OpenPiece | undefined;
  #originalBytes = 0;
  #hiddenLines = 0;
  /** Where bytes were dropped, in bytes of the folded text. */
  readonly #drops: { readonly at: number; readonly bytes: number }[] = [];

  constructor(options: ViewOptions) {
    this.#options = options;
    this.#budget = Math.floor(options.maxTokens) * (options.tokenizer ? MOST_BYTES_PER_TOKEN : BYTES_PER_TOKEN);
    this.#ends = new HeadTail(this.#budget, { tag: options.tag });
    const { fold: lines, tag } = options;
    this.#late = new LatePieces({ ...(lines && { lines }), tag });
  }

  /** Bytes of the folded text, without the piece that is still open. */
  get totalBytes(): number {
    this.#settle();
    return this.#ends.totalBytes;
  }

  /** Different lines that are not in the text. */
  get hiddenLines(): number {
    return this.#hiddenLines;
  }

  /** The text is longer than its budget, whatever follows. */
  get isTooLong(): boolean {
    return this.#ends.totalBytes > this.#budget;
  }

  /** Bytes of the original text since the last `closePiece`. */
  get openBytes(): number {
    return this.#open ? this.#originalBytes - this.#open.originalStart : 0;
  }

  add(text: string, marks: readonly CursorMark[]): void {
    const originalStart = this.#originalBytes;
    this.#originalBytes += Buffer.byteLength(text);
    const { fold: lines, tag } = this.#options;
    if (lines === undefined) {
      this.#addPiece({ originalStart, marks }, unfolded({ parts: [text] }));
      return;
    }
    const fold = this.isTooLong ? undefined : new RepeatFold({ lines, tag });
    this.#open ??= { fold, parts: [], originalStart, marks: [] };
    const before = originalStart - this.#open.originalStart;
    for (const { textByte, cursor } of marks) this.#open.marks.push({ textByte: before + textByte, cursor });
    if (this.#open.marks.length > MOST_MARKS) this.#open.marks = this.#open.marks.filter((_, i) => i % 2 === 0);
    if (this.#open.fold) this.#open.fold.push(text);
    else this.#open.parts.push(text);
  }

  /** Ends a piece: no fold goes beyond it, and it need not be kept whole. */
  closePiece(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open?.fold) this.#addPiece(open, open.fold.finish());
    else if (open) {
      const oldest = this.#late.add(open);
      if (oldest) this.#addPiece(oldest, unfolded(oldest));
    }
  }

  /** Call when nothing follows: prepares the result, and yields after each step of some tenths of a millisecond. */
  folding(): Generator<void> {
    return this.#late.fold(this.#ends.unitsPerEnd);
  }

  /** Bytes were dropped here. Call right after `closePiece`; the note about them comes next. */
  noteDrop(bytes: number): void {
    this.#settle();
    this.#drops.push({ at: this.#ends.totalBytes, bytes });
  }

  /** The text within its budget. `cut` counts bytes of the folded text. Says what was dropped in the part it cuts. */
  fit(): Truncated {
    this.#settle();
    const first = this.#ends.result();
    const droppedBytes = this.#droppedIn(first.cut);
    const byBytes = droppedBytes > 0 ? this.#ends.result({ droppedBytes }) : first;
    const { tokenizer, maxTokens } = this.#options;
    if (!tokenizer) return byBytes;
    const byTokens = fitTokens(byBytes.text, maxTokens, { ...this.#options, droppedBytes });
    if (!byBytes.cut || !byTokens.cut) return byTokens.cut ? byTokens : byBytes;
    // Both cuts apply, and the second is wider: its end is measured from the end of the whole text.
    const fromEnd = Buffer.byteLength(byBytes.text) - byTokens.cut.toByte;
    return {
      text: byTokens.text,
      originalTokenCount: byBytes.originalTokenCount,
      cut: { fromByte: byTokens.cut.fromByte, toByte: this.#ends.totalBytes - fromEnd },
    };
  }

  /** From bytes of the folded text to bytes of the original. */
  unfolded(textByte: number): number {
    this.#settle();
    const piece = this.#pieces.findLast(({ start }) => start <= textByte);
    return piece ? piece.originalStart + unfoldedByte(piece.folded, textByte - piece.start) : 0;
  }

  marks(): readonly OriginalMark[] {
    this.#settle();
    return this.#pieces.flatMap(({ originalStart, marks }) =>
      marks.map(({ textByte, cursor }) => ({ original: originalStart + textByte, read: cursor })),
    );
  }

  /** Adds the late pieces. Those in the part that is cut stay as they are. */
  #settle(): void {
    for (const _ of this.folding());
    for (const { piece, folded } of this.#late.takeAll()) this.#addPiece(piece, folded);
  }

  #droppedIn(cut: Truncated["cut"]): number {
    if (cut === null) return 0;
    const inside = this.#drops.filter(({ at }) => at >= cut.fromByte && at < cut.toByte);
    return inside.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #addPiece({ originalStart, marks }: Pick<Piece, "originalStart" | "marks">, folded: Folded): void {
    this.#pieces.push({ start: this.#ends.totalBytes, originalStart, folded: { ...folded, text: "" }, marks });
    this.#hiddenLines += folded.hiddenLines;
    this.#ends.push(folded.text);
  }
}
