/** Turns the bytes of a terminal into text: applies text, controls and sequences to the lines of the output. */
import type { EscapeStep } from "../escape/escape-step.ts";
import { EscapeTokenizer } from "../escape/escape-tokenizer.ts";
import { screenSwitch } from "../escape/screen-switch.ts";
import { ALTERNATE_SCREEN_NOTE, hiddenStringNote } from "../mark.ts";
import { isOddControl } from "./binary/odd-bytes.ts";
import { type CleanerOptions, LineWriter } from "./rows/line-writer.ts";

const ESC = 0x1b;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SGR = 0x6d;
const STRING_TERMINATOR = "\\";
/** Final bytes of the sequences that move or erase; all others do not change the text. */
const CSI_EDITS = "ABCDEFGHJKPX@`abdefsu";
const ESCAPE_EDITS = "78DEMc";

export class TerminalText {
  readonly lines: LineWriter;
  readonly #escape = new EscapeTokenizer();
  #isAlternate = false;
  /** Where the open sequence began, or the string before it that had no terminator yet. */
  #sequenceCursor = 0;
  /** Bytes of a string that an ESC has ended. Unless that ESC begins the terminator, a note reports them as hidden. */
  #unfinishedBytes = 0;
  #lastContent = 0;
  #takesOddControls = false;

  constructor(options: CleanerOptions) {
    this.lines = new LineWriter(options);
  }

  get isAtRest(): boolean {
    return this.#escape.isIdle && !this.#isAlternate;
  }

  /** Whether a byte that is not ASCII is text here. It aborts an open sequence, but not a string. */
  acceptsText(): boolean {
    if (this.#isAlternate || this.#escape.isInString) return false;
    if (this.#unfinishedBytes > 0) this.#settleString("aborted");
    this.#escape.abort();
    return true;
  }

  /** How long the content of the open control string is: output that no reader can see now. */
  get hiddenBytes(): number {
    return this.#escape.isInString && !this.#isAlternate ? this.#shownContent() : 0;
  }

  /**
   * Reads from `at` on, up to an odd control character, which may begin binary data. Returns its position, or the end
   * of the bytes.
   */
  push(bytes: Uint8Array, at: number): number {
    const { lines } = this;
    const base = lines.cursor - at;
    for (let i = at; i < bytes.length; ) {
      lines.cursor = base + i;
      if (!this.#escape.isIdle) i = this.#inSequence(bytes, i);
      else if (this.#isAlternate) i = this.#skipToEscape(bytes, i);
      else {
        i = lines.write(bytes, i);
        if (i === bytes.length) break;
        const byte = bytes[i] as number;
        if (isOddControl(byte) && !this.#takesOddControls) return i;
        this.#control(byte);
        i++;
      }
    }
    lines.cursor = base + bytes.length;
    lines.flush();
    return bytes.length;
  }

  /** The same for bytes that are known to be text. */
  pushText(bytes: Uint8Array): void {
    this.#takesOddControls = true;
    this.push(bytes, 0);
    this.#takesOddControls = false;
  }

  /** Nothing continues here: neither an open sequence nor half a character, which becomes U+FFFD. */
  breakOff(): void {
    this.lines.finish();
    this.#noteString(this.hiddenBytes + this.#unfinishedBytes);
    this.#unfinishedBytes = 0;
    this.#escape.abort();
  }

  #control(byte: number): void {
    if (byte === CARRIAGE_RETURN) this.lines.carriageReturn();
    else if (byte === ESC) {
      this.lines.seal();
      this.#beginSequence();
    } else this.lines.control(byte);
  }

  #beginSequence(): void {
    this.#sequenceCursor = this.lines.cursor;
    this.#escape.begin();
  }

  #inSequence(bytes: Uint8Array, at: number): number {
    const i = this.#escape.read(bytes, at);
    this.lines.cursor += i - at;
    const { step } = this.#escape;
    if (this.#unfinishedBytes > 0) this.#settleString(step);
    switch (step) {
      case "csi":
        this.#carryOutCsi();
        return i;
      case "escape":
        this.#carryOutEscape();
        return i;
      case "control":
        if (!this.#isAlternate) this.#controlInSequence(bytes[i] as number);
        return i + 1;
      case "string-content":
        if (i > at) this.#lastContent = bytes[i - 1] as number;
        return i;
      case "string-end":
        if (this.#escape.isTerminated) return i;
        // This ESC may begin the terminator.
        this.#unfinishedBytes = this.#escape.contentBytes;
        this.#escape.begin();
        return i + 1;
      case "string-broken":
        return this.#breakString(bytes[i] as number, i);
      default:
        return i;
    }
  }

  /** After a string that an ESC has ended: anything but ST shows that it had no terminator. */
  #settleString(step: EscapeStep): void {
    if (step === "open") return;
    const isTerminated = step === "escape" && this.#escape.name === STRING_TERMINATOR;
    if (!isTerminated) this.#noteString(this.#unfinishedBytes);
    this.#unfinishedBytes = 0;
  }

  #breakString(byte: number, at: number): number {
    const hidden = byte === LINE_FEED ? this.#shownContent() : this.#escape.contentBytes;
    // The note has a line of its own, which this line feed ends.
    return this.#noteString(hidden) && byte === LINE_FEED ? at + 1 : at;
  }

  /** A carriage return at the end belongs to a line feed that ends the string. */
  #shownContent(): number {
    const { contentBytes } = this.#escape;
    return contentBytes > 0 && this.#lastContent === CARRIAGE_RETURN ? contentBytes - 1 : contentBytes;
  }

  /** Says that the content of a string is not shown. Returns false if there is nothing to say. */
  #noteString(bytes: number): boolean {
    if (bytes === 0 || this.#isAlternate) return false;
    this.lines.note(hiddenStringNote(bytes), this.#sequenceCursor);
    return true;
  }

  #controlInSequence(byte: number): void {
    if (byte === CARRIAGE_RETURN) this.lines.carriageReturnNow();
    else this.lines.control(byte);
  }

  #carryOutCsi(): void {
    const { final, prefix, intermediates, params } = this.#escape;
    // SGR, the most frequent sequence by far, changes no text.
    if (final === SGR) return;
    if (prefix !== 0) this.#switchScreen();
    if (prefix !== 0 || intermediates !== "" || this.#isAlternate) return;
    const name = String.fromCharCode(final);
    if (CSI_EDITS.includes(name)) this.lines.csi(name, params);
  }

  #carryOutEscape(): void {
    const { name } = this.#escape;
    // RIS
    if (name === "c") this.#isAlternate = false;
    if (!this.#isAlternate && name.length === 1 && ESCAPE_EDITS.includes(name)) this.lines.escape(name);
  }

  #switchScreen(): void {
    const direction = screenSwitch(this.#escape);
    if (direction === undefined || this.#isAlternate === (direction === "enter")) return;
    const { lines } = this;
    if (direction === "leave") lines.skipTo(lines.cursor);
    else if (!lines.isBelowNote(ALTERNATE_SCREEN_NOTE)) lines.note(ALTERNATE_SCREEN_NOTE, this.#sequenceCursor);
    this.#isAlternate = direction === "enter";
  }

  #skipToEscape(bytes: Uint8Array, at: number): number {
    const found = bytes.indexOf(ESC, at);
    if (found === -1) return bytes.length;
    this.lines.cursor += found - at;
    this.#beginSequence();
    return found + 1;
  }
}
