/**
 * Output in, what a model reads out: clean, folded, cut to a budget, with the journal cursors of what was cut.
 *
 * Output is worked through in pieces of bounded size, so that an output of any length needs little memory. A fold does not reach
 * over the border of two pieces; that costs a line now and then and never a wrong count.
 */
import { fitTokens, type Tokenizer } from "./budget.ts";
import { Cleaner, type CleanText } from "./clean.ts";
import { CursorMap } from "./cursor-map.ts";
import { type Folded, foldRepeats, unfoldedByte } from "./fold.ts";
import type { CursorMark } from "./given-text.ts";
import { HeadTail } from "./head-tail.ts";
import type { Truncated } from "./truncate.ts";

export interface DigestOptions {
  readonly maxTokens: number;
  /** Bytes as they came, control sequences and all. Default false. */
  readonly raw?: boolean | undefined;
  /** Repeated lines as one and a count. Default true; never with `raw`. */
  readonly fold?: boolean | undefined;
  /** Default: 4 bytes a token. */
  readonly tokenizer?: Tokenizer | undefined;
}

/** What a model gets to read of a part of the journal. */
export interface Reading {
  readonly text: string;
  /** Tokens before the cut; null when nothing was cut. */
  readonly originalTokenCount: number | null;
  /** Where in the journal the part that was cut can be read; never too narrow. Null when nothing was cut. */
  readonly cut: { readonly from: number; readonly to: number } | null;
  /** Bytes in the range that are kept nowhere any more; a line in `text` says where. */
  readonly droppedBytes: number;
}

interface Piece {
  /** Where it begins in the whole text, in bytes. */
  readonly start: number;
  readonly folded: Folded;
  readonly marks: readonly CursorMark[];
}

/** Cleaned text is taken on when there is this much of it. */
const PIECE_BYTES = 512 * 1024;
const BYTES_PER_TOKEN = 4;
/** With a tokenizer of its own, a caller's budget may hold more bytes than the estimate says; no more than this many. */
const MOST_BYTES_PER_TOKEN = 16;

export class Digest {
  readonly #options: DigestOptions;
  readonly #ends: HeadTail;
  readonly #pieces: Piece[] = [];
  readonly #cursors = new CursorMap();
  #cleaner: Cleaner;
  #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #droppedBytes = 0;

  constructor(options: DigestOptions, cleaner: Cleaner = new Cleaner()) {
    this.#options = options;
    this.#cleaner = cleaner;
    const bytesPerToken = options.tokenizer ? MOST_BYTES_PER_TOKEN : BYTES_PER_TOKEN;
    this.#ends = new HeadTail(Math.floor(options.maxTokens) * bytesPerToken);
  }

  /** `cursor` is where in the journal `bytes` stand; what lies between two calls is left out. */
  push(bytes: Uint8Array, cursor: number): void {
    if (this.#options.raw) {
      this.#cursors.note(this.#ends.totalBytes, cursor);
      this.#ends.push(this.#decoder.decode(bytes, { stream: true }));
      return;
    }
    this.#cursors.note(this.#cleaner.cursor, cursor);
    this.#cleaner.push(bytes);
    if (this.#cleaner.pendingBytes > PIECE_BYTES) this.#add(this.#cleaner.drain());
  }

  /** So many bytes at this place are kept nowhere any more. */
  drop(bytes: number): void {
    this.#droppedBytes += bytes;
    const note = `[${bytes} bytes of output were dropped here]\n`;
    if (this.#options.raw) this.#ends.push(note);
    else this.#add({ text: `${this.#cleaner.take().text}\n${note}`, marks: [] });
  }

  /** The text so far, up to and with the line that is still growing. */
  result(): Reading {
    if (this.#options.raw) this.#ends.push(this.#decoder.decode());
    else this.#add(this.#cleaner.take());
    const { text, originalTokenCount, cut } = this.#fit();
    return { text, originalTokenCount, cut: cut && this.#journalRange(cut), droppedBytes: this.#droppedBytes };
  }

  #add({ text, marks }: Pick<CleanText, "text" | "marks">): void {
    const folded = this.#options.fold === false ? { text, foldedLines: 0, joints: [] } : foldRepeats(text);
    this.#pieces.push({ start: this.#ends.totalBytes, folded: { ...folded, text: "" }, marks });
    this.#ends.push(folded.text);
  }

  #fit(): Truncated {
    const byBytes = this.#ends.result();
    const { tokenizer, maxTokens } = this.#options;
    if (!tokenizer) return byBytes;
    const byTokens = fitTokens(byBytes.text, maxTokens, { tokenizer });
    if (!byBytes.cut || !byTokens.cut) return byTokens.cut ? byTokens : byBytes;
    // Both were cut, the second time more widely: its end counts from the end of the whole.
    const fromEnd = Buffer.byteLength(byBytes.text) - byTokens.cut.toByte;
    return {
      text: byTokens.text,
      originalTokenCount: byBytes.originalTokenCount,
      cut: { fromByte: byTokens.cut.fromByte, toByte: this.#ends.totalBytes - fromEnd },
    };
  }

  /** From bytes of the text, before its cut, to cursors of the journal. */
  #journalRange({ fromByte, toByte }: { readonly fromByte: number; readonly toByte: number }): Reading["cut"] {
    return {
      from: this.#cursors.cursorOf(this.#readBefore(fromByte)),
      to: this.#cursors.cursorOf(this.#readAfter(toByte)),
    };
  }

  /** How much had been read when the line at `textByte` began, or a line before it. */
  #readBefore(textByte: number): number {
    if (this.#options.raw) return textByte;
    const { marks, original } = this.#locate(textByte);
    return marks.findLast((mark) => mark.textByte <= original)?.cursor ?? 0;
  }

  /** How much had been read when the line at `textByte` began, or a line after it. */
  #readAfter(textByte: number): number {
    if (this.#options.raw) return textByte;
    const { marks, original, next } = this.#locate(textByte);
    return marks.find((mark) => mark.textByte >= original)?.cursor ?? next ?? this.#cleaner.cursor;
  }

  /** The piece that `textByte` lies in, where in it before it was folded, and where the next piece begins. */
  #locate(textByte: number) {
    const at = this.#pieces.findLastIndex(({ start }) => start <= textByte);
    const piece = this.#pieces[at];
    const original = piece ? unfoldedByte(piece.folded, textByte - piece.start) : 0;
    return { marks: piece?.marks ?? [], original, next: this.#pieces[at + 1]?.marks[0]?.cursor };
  }
}
