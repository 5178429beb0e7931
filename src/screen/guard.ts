/**
 * What stands between a program and the terminal that draws its screen: nothing gets through that could hold us up or
 * fill our memory. Pure and incremental; the borders of the chunks mean nothing.
 *
 * CSI sequences come out bounded (see csi.ts). Strings (OSC, DCS, APC, PM, SOS) do not come out at all: the one thing
 * that a screen needs of them is the title, which is kept here. Nor do C1 controls, which UTF-8 terminals differ about.
 */
import type { TerminalSize } from "../base/terminal-size.ts";
import { ChunkSink } from "./chunk-sink.ts";
import { Csi, lightEnd } from "./csi.ts";
import { Titles } from "./titles.ts";

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
/** The first byte of U+0080 to U+00BF. */
const C1_LEAD = 0xc2;
/** Inline images reach megabytes. A string longer than this has lost its end, and what follows is text again. */
const LONGEST_STRING_BYTES = 16 * 1024 * 1024;
/** Cells that a terminal clears or moves in the time that it takes for one byte of text. */
const CELLS_PER_BYTE = 4;

type State = "text" | "escape" | "csi" | "string";

export class Guard {
  #size: TerminalSize;
  readonly #sink = new ChunkSink();
  readonly #csi = new Csi();
  readonly #titles = new Titles();
  #state: State = "text";
  #intermediates = "";
  #stringBytes = 0;
  #isAfterLead = false;

  constructor(size: TerminalSize) {
    this.#size = size;
    this.resize(size);
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    this.#sink.cells = size.cols * size.rows;
  }

  get title(): string {
    return this.#titles.current;
  }

  /** What may be given to the terminal, in chunks that each take little time. */
  push(bytes: Uint8Array): readonly string[] {
    for (let at = 0; at < bytes.length; ) {
      if (this.#state === "text") at = this.#readText(bytes, at);
      else if (this.#state === "string") at = this.#readString(bytes, at);
      else at = this.#readControl(bytes, at);
    }
    return this.#sink.take();
  }

  /** What follows does not belong to what came before. */
  interrupt(): void {
    this.#state = "text";
    this.#isAfterLead = false;
  }

  #readText(bytes: Uint8Array, at: number): number {
    if (this.#isAfterLead) return this.#readAfterLead(bytes, at);
    let i = at;
    while (i < bytes.length) {
      const byte = bytes[i] ?? 0;
      if (byte === ESC) {
        const end = lightEnd(bytes, i);
        if (end < 0) break;
        i = end;
      } else if (byte === C1_LEAD) break;
      else i++;
    }
    this.#sink.text(bytes, at, i);
    if (i === bytes.length) return i;
    if (bytes[i] === ESC) this.#beginEscape();
    else this.#isAfterLead = true;
    return i + 1;
  }

  #readAfterLead(bytes: Uint8Array, at: number): number {
    this.#isAfterLead = false;
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80 && byte < 0xa0) return at + 1;
    this.#sink.text(Uint8Array.of(C1_LEAD), 0, 1);
    return at;
  }

  /** One byte of an escape or CSI sequence. */
  #readControl(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] ?? 0;
    if (byte === ESC) this.#beginEscape();
    else if (byte === CAN || byte === SUB) this.#state = "text";
    // Carried out at once, as terminals do, while the sequence waits for its end.
    else if (byte < 0x20) this.#sink.text(bytes, at, at + 1);
    else if (byte >= 0x80) {
      // Part of no sequence: it is text again from here.
      this.#state = "text";
      return at;
    } else if (byte !== 0x7f) this.#takeControl(byte);
    return at + 1;
  }

  #takeControl(byte: number): void {
    if (this.#state === "escape") this.#takeEscape(byte);
    else if (this.#csi.take(byte)) {
      this.#state = "text";
      this.#finishCsi();
    }
  }

  #beginEscape(): void {
    this.#state = "escape";
    this.#intermediates = "";
  }

  #takeEscape(byte: number): void {
    const char = String.fromCharCode(byte);
    if (byte < 0x30) {
      if (this.#intermediates.length < 2) this.#intermediates += char;
    } else if (this.#intermediates !== "") this.#finishEscape(this.#intermediates + char);
    else if (char === "[") {
      this.#state = "csi";
      this.#csi.begin();
    } else if ("]PX^_k".includes(char)) {
      this.#state = "string";
      this.#stringBytes = 0;
      this.#titles.begin(char === "]" ? "osc" : "other");
    } else this.#finishEscape(char);
  }

  #finishEscape(name: string): void {
    this.#state = "text";
    // The second half of what ends a string.
    if (name === "\\") return;
    // RIS and DECALN go over the whole screen.
    const isWhole = name === "c" || name === "#8";
    this.#send(`\x1b${name}`, isWhole ? this.#size.cols * this.#size.rows : this.#size.cols);
  }

  #finishCsi(): void {
    const csi = this.#csi;
    // XTWINOPS: nobody's window is moved or measured here.
    if (csi.name === "t") {
      if (csi.prefix === "") this.#titles.stack(csi.number(0, 0));
      return;
    }
    const text = csi.encode(this.#size);
    if (text !== "") this.#send(text, csi.work(this.#size));
  }

  #send(text: string, cells: number): void {
    this.#sink.sequence(Buffer.from(text, "latin1"), Math.ceil(cells / CELLS_PER_BYTE));
  }

  #readString(bytes: Uint8Array, at: number): number {
    const stop = Math.min(bytes.length, at + LONGEST_STRING_BYTES - this.#stringBytes);
    let i = at;
    while (i < stop && !isStringEnd(bytes[i] ?? 0)) i++;
    this.#titles.add(bytes, at, i);
    this.#stringBytes += i - at;
    if (this.#stringBytes >= LONGEST_STRING_BYTES) this.#state = "text";
    if (i === stop) return i;
    const byte = bytes[i] ?? 0;
    if (byte === ESC) this.#beginEscape();
    // Only an OSC ends with BEL; elsewhere it is part of the string.
    else if (byte !== BEL || this.#titles.isOpen) this.#state = "text";
    else this.#stringBytes++;
    if (byte === ESC || byte === BEL) this.#titles.end();
    return i + 1;
  }
}

function isStringEnd(byte: number): boolean {
  return byte === ESC || byte === BEL || byte === CAN || byte === SUB;
}
