/** Turns the bytes of a terminal into text to read, and leaves out binary data. */
import { binaryNote } from "../mark.ts";
import { MOST_LETTERS } from "./binary/binary-kind.ts";
import { BinaryProbe } from "./binary/binary-probe.ts";
import { Utf8Scan } from "./binary/utf8-scan.ts";
import type { CleanerOptions, CleanText, LineWriter } from "./rows/line-writer.ts";
import { TerminalText } from "./terminal-text.ts";

export type { CleanerOptions, CleanText } from "./rows/line-writer.ts";

const NOTHING = new Uint8Array(0);

/** Turns the output of a terminal into plain text: push bytes, take text. */
export class Cleaner {
  readonly #text: TerminalText;
  readonly #lines: LineWriter;
  readonly #utf8 = new Utf8Scan();
  /** Reads the bytes instead of `#text`, from an odd byte on, until it finds text. */
  #probe: BinaryProbe | undefined;
  /** Where the binary data begins that was not noted yet. */
  #probeCursor = 0;

  constructor(options: CleanerOptions = {}) {
    this.#text = new TerminalText(options);
    this.#lines = this.#text.lines;
  }

  /** Journal bytes pushed so far. */
  get cursor(): number {
    return this.#lines.cursor;
  }

  /** Bytes of finished text that nobody has taken yet. Call `take` now and then to keep them few. */
  get pendingBytes(): number {
    return this.#lines.pendingBytes;
  }

  /**
   * Bytes at the end that are not in the text, because they belong to an unfinished control string. If it ends without
   * a terminator, a note in the text says so; until then the caller should say so.
   */
  get hiddenBytes(): number {
    return this.#text.hiddenBytes;
  }

  /** Neither a sequence, a character, binary data nor a full-screen program is open. */
  get isAtRest(): boolean {
    return this.#probe === undefined && this.#text.isAtRest && this.#lines.isAtRest;
  }

  /** The tag of the notes that are written into the text from now on. See `MarkOptions`. */
  set tag(tag: string | undefined) {
    this.#lines.tag = tag;
  }

  /** What is left of the caret on its line, control characters not included. */
  get beforeCaret(): string {
    if (this.#probe) this.#settle(this.#probe);
    return this.#lines.beforeCaret;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      at = this.#probe ? this.#readProbe(this.#probe, bytes, at) : this.#readText(bytes, at);
    }
  }

  /** What is new since the last call: finished lines, then the line that still grows, without its end. */
  take(): CleanText {
    if (this.#probe) this.#settle(this.#probe);
    return this.#lines.take();
  }

  /** Only what can no longer change. For reading a long output through: each line comes once, in its last state. */
  drain(): CleanText {
    return this.#lines.drain();
  }

  /** Bytes are missing here: neither a sequence nor half a character continues after them. */
  breakOff(): void {
    this.end();
  }

  /** No more bytes follow: half a character at the end becomes U+FFFD. */
  end(): void {
    if (this.#probe) this.#settle(this.#probe);
    this.#probe = undefined;
    this.#utf8.restart(NOTHING);
    this.#text.breakOff();
  }

  /** Up to an odd byte, at which a probe begins. */
  #readText(bytes: Uint8Array, at: number): number {
    const broken = this.#utf8.find(bytes, at);
    const stop = this.#text.push(bytes.subarray(0, broken), at);
    if (stop === bytes.length) return stop;
    // A broken byte in a sequence, or on an alternate screen, is not text.
    if (stop === broken && !this.#text.acceptsText()) return this.#text.push(bytes.subarray(0, stop + 1), stop);
    this.#beginProbe();
    return stop;
  }

  #beginProbe(): void {
    const open = this.#lines.takeOpenBytes();
    this.#probe = new BinaryProbe(this.#lines.endOfLine(MOST_LETTERS));
    this.#probeCursor = this.#lines.cursor - open.length;
    this.#probe.read(open, 0);
  }

  #readProbe(probe: BinaryProbe, bytes: Uint8Array, at: number): number {
    const next = probe.read(bytes, at);
    this.#lines.skipTo(this.#lines.cursor + next - at);
    if (probe.isAtText) this.#settle(probe);
    return next;
  }

  #settle(probe: BinaryProbe): void {
    const { binary, text } = probe.take();
    const end = this.#lines.cursor;
    this.#lines.skipTo(end - text.length);
    if (binary) {
      const letters = this.#lines.removeEnd(binary.letters) ? binary.letters.length : 0;
      this.#lines.note(binaryNote(binary.bytes + letters, binary.name), this.#probeCursor - letters);
    }
    if (text.length > 0) this.#text.pushText(text);
    this.#utf8.restart(text);
    this.#probeCursor = end;
    if (probe.isAtText) this.#probe = undefined;
  }
}
