/**
 * Recognises one control sequence at a time, in pieces of any size, and holds a fixed amount of state: parameters
 * beyond the sixteenth and the contents of strings (OSC, DCS, APC, PM, SOS) are passed over, not kept.
 */
const ESC = 0x1b;
const BEL = 0x07;
const LINE_FEED = 0x0a;
const MOST_PARAMS = 16;
/** No row or column of a terminal is further away; a larger number means "as far as it goes". */
const LARGEST_PARAM = 9_999;
/** Inline images reach megabytes. A string longer than this has lost its end, and what follows is text again. */
const LONGEST_STRING_BYTES = 16 * 1024 * 1024;

type State = "idle" | "escape" | "intermediate" | "csi" | "string" | "line-string";

export class EscapeParser {
  #state: State = "idle";
  #stringBytes = 0;
  /** What ended the sequence: the final byte of a CSI or escape; 0 where there is nothing to act on. */
  final = 0;
  isCsi = false;
  /** `?`, `<`, `=` or `>` after CSI, or an intermediate byte; 0 where there is none. */
  prefix = 0;
  readonly params: number[] = [];

  get isIdle(): boolean {
    return this.#state === "idle";
  }

  /** After an ESC byte. */
  begin(): void {
    this.#state = "escape";
    this.final = 0;
    this.isCsi = false;
    this.prefix = 0;
    this.params.length = 0;
  }

  abort(): void {
    this.#state = "idle";
    this.final = 0;
  }

  /** The parameter at `index`, or `fallback` where it is missing or 0. */
  param(index: number, fallback: number): number {
    return this.params[index] || fallback;
  }

  /**
   * Reads on from `at` and says where it stopped. Then either the sequence is over (`isIdle`), or the bytes are, or a
   * control byte stands there that the caller carries out.
   */
  read(bytes: Uint8Array, at: number): number {
    let i = at;
    while (i < bytes.length && !this.isIdle) {
      if (this.#state === "csi") i = this.#readCsi(bytes, i);
      else if (this.#isInString) i = this.#readString(bytes, i);
      else i = this.#readEscape(bytes, i);
      if (!this.isIdle && !this.#isInString && (bytes[i] ?? 0xff) < 0x20) return i;
    }
    return i;
  }

  get #isInString(): boolean {
    return this.#state === "string" || this.#state === "line-string";
  }

  #readEscape(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20) return at;
    if (byte >= 0x7f) {
      // Not part of any sequence: it is text again from here.
      this.abort();
      return at;
    }
    if (byte < 0x30) {
      this.prefix = byte;
      this.#state = "intermediate";
    } else if (this.#state === "intermediate") this.#end(byte);
    else if (byte === 0x5b) {
      this.#state = "csi";
      this.isCsi = true;
    } else if (byte === 0x5d || byte === 0x6b) this.#beginString("line-string");
    else if (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) this.#beginString("string");
    else this.#end(byte);
    return at + 1;
  }

  #readCsi(bytes: Uint8Array, at: number): number {
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0;
      if (byte >= 0x40 && byte < 0x7f) {
        this.#end(byte);
        return i + 1;
      }
      if (byte < 0x20) return i;
      if (byte >= 0x7f) {
        this.abort();
        return i;
      }
      if (byte <= 0x39 && byte >= 0x30) this.#addDigit(byte - 0x30);
      else if (byte === 0x3b || byte === 0x3a) this.#nextParam();
      else this.prefix = byte;
    }
    return bytes.length;
  }

  /** An OSC has no line feed inside, so one ends it: else an unfinished title would swallow all that follows. */
  #readString(bytes: Uint8Array, at: number): number {
    const isLine = this.#state === "line-string";
    const stop = Math.min(bytes.length, at + LONGEST_STRING_BYTES - this.#stringBytes);
    for (let i = at; i < stop; i++) {
      const byte = bytes[i] ?? 0;
      if (byte >= 0x20) continue;
      if (byte === ESC || byte === 0x18 || byte === 0x1a || (isLine && byte === LINE_FEED)) {
        // The caller carries this byte out: ESC begins the string terminator, a line feed ends the line.
        this.abort();
        return i;
      }
      if (isLine && byte === BEL) {
        this.abort();
        return i + 1;
      }
    }
    this.#stringBytes += stop - at;
    if (this.#stringBytes >= LONGEST_STRING_BYTES) this.abort();
    return stop;
  }

  #addDigit(digit: number): void {
    if (this.params.length === 0) this.params.push(0);
    const last = this.params.length - 1;
    if (last >= MOST_PARAMS) return;
    this.params[last] = Math.min((this.params[last] ?? 0) * 10 + digit, LARGEST_PARAM);
  }

  #nextParam(): void {
    if (this.params.length === 0) this.params.push(0);
    if (this.params.length <= MOST_PARAMS) this.params.push(0);
  }

  #beginString(state: "string" | "line-string"): void {
    this.#state = state;
    this.#stringBytes = 0;
  }

  #end(final: number): void {
    this.#state = "idle";
    this.final = final;
  }
}

/** Where a whole colour sequence (SGR) that begins at `at` ends; -1 where there is something else, or less than all. */
export function colourEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return -1;
  let i = at + 2;
  let byte = bytes[i] ?? 0;
  while (byte >= 0x30 && byte <= 0x3b) byte = bytes[++i] ?? 0;
  return byte === 0x6d ? i + 1 : -1;
}
