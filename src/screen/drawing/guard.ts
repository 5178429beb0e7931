/**
 * Filters what a program prints before the terminal that draws its screen gets it, so that nothing can stall us or fill
 * our memory. Pure and incremental: how the output is cut into chunks does not matter.
 *
 * CSI sequences pass with bounded numbers. Strings (OSC, DCS, APC, PM, SOS) do not pass: the screen needs only the
 * title of them, which is kept here. C1 controls do not pass either, because UTF-8 terminals differ about them.
 */
import type { TerminalSize } from "../../base/terminal-size.ts";
import { EscapeTokenizer } from "../../text/escape/escape-tokenizer.ts";
import { boundedCsi, csiWork } from "./bounded-csi.ts";
import { ChunkSink } from "./chunk-sink.ts";
import { lightEnd } from "./light-end.ts";
import { Titles } from "./titles.ts";

const ESC = 0x1b;
/** The first byte of U+0080 to U+00BF. */
const C1_LEAD = 0xc2;
const OSC_INTRODUCER = 0x5d;
/** How many cells a terminal clears or moves in the time of one byte of text. */
const CELLS_PER_BYTE = 4;

export class Guard {
  #size: TerminalSize;
  readonly #sink = new ChunkSink();
  readonly #escape = new EscapeTokenizer();
  readonly #titles = new Titles();
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

  /** What the terminal may get, in chunks that each take little time. */
  push(bytes: Uint8Array): readonly string[] {
    for (let at = 0; at < bytes.length; ) {
      at = this.#escape.isIdle ? this.#readText(bytes, at) : this.#readSequence(bytes, at);
    }
    return this.#sink.take();
  }

  /** Bytes are missing here: neither an open sequence nor half a character continues after them. */
  interrupt(): void {
    if (this.#isAfterLead) this.#sink.text(Uint8Array.of(C1_LEAD), 0, 1);
    this.#sink.breakOff();
    this.#escape.abort();
    this.#isAfterLead = false;
  }

  /** The same at the end of the output; returns what is left. */
  finish(): readonly string[] {
    this.interrupt();
    return this.#sink.take();
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
    if (bytes[i] === ESC) this.#escape.begin();
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

  #readSequence(bytes: Uint8Array, at: number): number {
    const next = this.#escape.read(bytes, at);
    switch (this.#escape.step) {
      case "control":
        // Terminals carry it out at once, while the sequence waits for its end.
        this.#sink.text(bytes, next, next + 1);
        return next + 1;
      case "escape":
        this.#finishEscape(this.#escape.name);
        break;
      case "csi":
        this.#finishCsi();
        break;
      case "string-begin":
        this.#titles.begin(this.#escape.final === OSC_INTRODUCER ? "osc" : "other");
        break;
      case "string-content":
        this.#titles.add(bytes, at, next);
        break;
      case "string-end":
        this.#titles.end();
        break;
      case "open":
      case "string-broken":
      case "aborted":
        break;
    }
    return next;
  }

  #finishEscape(name: string): void {
    // ST: it has ended a string, and does nothing by itself.
    if (name === "\\") return;
    // RIS and DECALN touch the whole screen.
    const isWhole = name === "c" || name === "#8";
    this.#send(`\x1b${name}`, isWhole ? this.#size.cols * this.#size.rows : this.#size.cols);
  }

  #finishCsi(): void {
    const { name, prefix, params } = this.#escape;
    // XTWINOPS: there is no window to move or measure.
    if (name === "t") {
      if (prefix === 0) this.#titles.stack(params.get(0, 0));
      return;
    }
    const sequence = { prefix, name, params };
    this.#send(boundedCsi(sequence, this.#size), csiWork(sequence, this.#size));
  }

  #send(text: string, cells: number): void {
    this.#sink.sequence(Buffer.from(text, "latin1"), Math.ceil(cells / CELLS_PER_BYTE));
  }
}
