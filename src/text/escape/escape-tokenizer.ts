/**
 * The one place that decides where a control sequence begins and ends. Incremental: a sequence may be split between
 * chunks anywhere. It holds a fixed amount of state: the content of strings is passed on in pieces and never kept.
 *
 *   escape   ESC, intermediates (0x20 to 0x2f), final (0x30 to 0x7e)
 *   CSI      ESC [, prefix (`<` `=` `>` `?`), parameters, intermediates, final (0x40 to 0x7e)
 *   string   ESC and `]` (OSC), `P` (DCS), `X` (SOS), `^` (PM), `_` (APC) or `k` (title of GNU screen), then content
 *
 * BEL ends an OSC and no other string. ESC ends every string and begins a new sequence, so that ST (ESC \) is a
 * sequence of its own. The byte 0x9c does not end a string: it occurs inside UTF-8 characters. CAN and SUB abort
 * whatever is open. A string without a terminator ends at a line feed or at a bound: see `string-kind.ts`. Inside an
 * escape or CSI sequence, other C0 controls act at once, DEL is ignored, and a byte from 0x80 on is text again.
 */
import { CsiParams } from "./csi-params.ts";
import type { EscapeStep } from "./escape-step.ts";
import { kindOfString, type StringKind, unknownKind } from "./string-kind.ts";

const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
const DELETE = 0x7f;
const CSI_INTRODUCER = 0x5b;
const OSC_INTRODUCER = 0x5d;
const MAX_INTERMEDIATES = 2;

const IS_STRING_INTRODUCER: readonly boolean[] = Array.from({ length: 128 }, (_, byte) =>
  "]PX^_k".includes(String.fromCharCode(byte)),
);

type State = "idle" | "escape" | "csi" | "string";

export class EscapeTokenizer {
  #state: State = "idle";
  #step: EscapeStep = "open";
  #contentBytes = 0;
  #kind: StringKind | undefined;
  #beginning = "";
  #isMalformed = false;
  #intermediates = "";
  /** The last byte of an escape or CSI sequence; the introducer of a string. */
  final = 0;
  /** The byte `<`, `=`, `>` or `?` of a CSI sequence; 0 without one. */
  prefix = 0;
  /** After `string-end`: the string has its terminator. Otherwise an ESC ended it, which may begin the terminator. */
  isTerminated = false;
  /** Of a CSI sequence. */
  readonly params: CsiParams = new CsiParams();

  /** No sequence is open: the next byte is text, a control, or an ESC for `begin`. */
  get isIdle(): boolean {
    return this.#state === "idle";
  }

  get isInString(): boolean {
    return this.#state === "string";
  }

  /** How long the content of the string is: of the open one, or of the last one. */
  get contentBytes(): number {
    return this.#contentBytes;
  }

  get step(): EscapeStep {
    return this.#step;
  }

  get intermediates(): string {
    return this.#intermediates;
  }

  /** Intermediates and final byte. */
  get name(): string {
    return this.#intermediates + String.fromCharCode(this.final);
  }

  /** Call after an ESC byte. */
  begin(): void {
    this.#state = "escape";
    this.#intermediates = "";
    this.#isMalformed = false;
  }

  /** Forgets the open sequence: bytes are missing, or the caller does not want its rest. */
  abort(): void {
    this.#state = "idle";
    this.#step = "aborted";
  }

  /**
   * Reads from `at` to the next step and returns the position after what it has read. Call only while a sequence is
   * open.
   */
  read(bytes: Uint8Array, at: number): number {
    if (this.#state === "string") return this.#readString(bytes, at);
    let i = at;
    this.#step = "open";
    // An ESC inside a sequence begins a new one, which the loop continues with.
    while (i < bytes.length && this.#step === "open") {
      i = this.#state === "csi" ? this.#readCsi(bytes, i) : this.#readEscape(bytes, i);
    }
    return i;
  }

  #readEscape(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number;
    if (byte < 0x20) return this.#readControl(byte, at);
    if (byte >= DELETE) return this.#readHigh(byte, at);
    if (byte < 0x30) this.#addIntermediate(byte);
    else if (this.#intermediates !== "") this.#finish("escape", byte);
    else if (byte === CSI_INTRODUCER) this.#beginCsi();
    else if (IS_STRING_INTRODUCER[byte]) this.#beginString(byte);
    else this.#finish("escape", byte);
    return at + 1;
  }

  #readCsi(bytes: Uint8Array, at: number): number {
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (byte >= 0x40 && byte < DELETE) {
        this.#finish("csi", byte);
        return i + 1;
      }
      if (byte < 0x20) return this.#readControl(byte, i);
      if (byte >= DELETE) return this.#readHigh(byte, i);
      if (byte < 0x30) this.#addIntermediate(byte);
      else if (byte >= 0x3c) this.#addPrefix(byte);
      else this.#addToParams(byte);
    }
    return bytes.length;
  }

  /** A C0 control inside an escape or CSI sequence. */
  #readControl(byte: number, at: number): number {
    if (byte === ESC) this.begin();
    else if (byte === CAN || byte === SUB) this.abort();
    else {
      this.#step = "control";
      return at;
    }
    return at + 1;
  }

  #readHigh(byte: number, at: number): number {
    if (byte === DELETE) return at + 1;
    this.abort();
    return at;
  }

  #readString(bytes: Uint8Array, at: number): number {
    const from = this.#kind ? at : this.#readBeginning(bytes, at);
    const { ends, maxBytes } = this.#kind ?? unknownKind(String.fromCharCode(this.final));
    const stop = Math.min(bytes.length, from + maxBytes - this.#contentBytes);
    let i = from;
    while (i < stop && ends[bytes[i] as number] === 0) i++;
    this.#contentBytes += i - from;
    this.#step = "string-content";
    if (i > at || i === bytes.length) return i;
    return this.#endString(bytes[i] as number, i);
  }

  /** Reads just enough of the content to know the kind of the string. */
  #readBeginning(bytes: Uint8Array, at: number): number {
    const introducer = String.fromCharCode(this.final);
    const { ends } = unknownKind(introducer);
    let i = at;
    while (this.#kind === undefined && i < bytes.length) {
      const byte = bytes[i] as number;
      if (ends[byte] === 1) break;
      this.#beginning += String.fromCharCode(byte);
      this.#kind = kindOfString(introducer, this.#beginning);
      this.#contentBytes++;
      i++;
    }
    return i;
  }

  /** At a byte that ends the string, or at the first one beyond its bound. */
  #endString(byte: number, at: number): number {
    this.#state = "idle";
    const isBell = byte === BEL && this.final === OSC_INTRODUCER;
    const isCancel = byte === CAN || byte === SUB;
    if (isCancel) this.#step = "aborted";
    else this.#step = byte === ESC || isBell ? "string-end" : "string-broken";
    this.isTerminated = isBell;
    // BEL, CAN and SUB are used up. ESC and a line feed act after the string.
    return isCancel || isBell ? at + 1 : at;
  }

  #addIntermediate(byte: number): void {
    if (this.#intermediates.length === MAX_INTERMEDIATES) this.#isMalformed = true;
    else this.#intermediates += String.fromCharCode(byte);
  }

  #addPrefix(byte: number): void {
    if (this.prefix !== 0 || this.params.length > 0 || this.#intermediates !== "") this.#isMalformed = true;
    this.prefix = byte;
  }

  #addToParams(byte: number): void {
    if (this.#intermediates !== "") this.#isMalformed = true;
    if (byte <= 0x39) this.params.addDigit(byte - 0x30);
    else this.params.addSeparator(byte);
  }

  #beginCsi(): void {
    this.#state = "csi";
    this.prefix = 0;
    this.params.clear();
  }

  #beginString(introducer: number): void {
    this.#state = "string";
    this.#step = "string-begin";
    this.final = introducer;
    this.#contentBytes = 0;
    this.#beginning = "";
    this.#kind = kindOfString(String.fromCharCode(introducer), "");
  }

  #finish(step: "escape" | "csi", final: number): void {
    this.#state = "idle";
    this.#step = this.#isMalformed ? "aborted" : step;
    this.final = final;
  }
}
