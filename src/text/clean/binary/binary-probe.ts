/**
 * Recognises binary data in output: the content of a program or an archive, which a terminal would show as noise.
 *
 * It begins at an odd byte and holds what follows until it can decide. If few of the bytes are odd, they are text. If
 * every fifth is odd, they are binary data, which is counted and not kept. Binary data ends where a long piece of text
 * begins, or with text at the end of what was read.
 */
import { type BinaryKind, binaryKind } from "./binary-kind.ts";
import { OddBytes } from "./odd-bytes.ts";

/** This many bytes are enough to decide. */
const PROBED_BYTES = 128;
/** At the end of a reading, fewer bytes are enough, but not so few that a handful of odd bytes decides. */
const FEWEST_PROBED = 32;
const ODD_PART = 0.2;
/** Text in an encoding other than UTF-8 has broken bytes but no odd controls, and one may occur in any text. */
const FEWEST_ODD_CONTROLS = 2;
/** Text this long does not occur inside archives and images. */
const RESUMED_BYTES = 256;
/** Programs and databases contain messages and tables; almost all are shorter than this. */
const RESUMED_BYTES_AMONG_TEXT = 4096;
/** At the end of a reading, what a short command printed after the data is text. */
const FEWEST_RESUMED = 4;

/** Binary data that is not shown. */
interface FoundBinary extends BinaryKind {
  readonly bytes: number;
}

/** What was read: binary data, then text. Either may be missing. */
export interface ProbeResult {
  readonly binary: FoundBinary | null;
  readonly text: Uint8Array;
}

const NOTHING = new Uint8Array(0);

export class BinaryProbe {
  /** `text`: what is held is text, before or after binary data. */
  #state: "suspect" | "binary" | "text" = "suspect";
  readonly #held = new Uint8Array(RESUMED_BYTES_AMONG_TEXT);
  #heldBytes = 0;
  readonly #odd = new OddBytes();
  #kind: BinaryKind | undefined;
  readonly #before: string;
  /** Bytes of binary data that were not taken yet. */
  #binaryBytes = 0;

  /** `before`: the end of the text in front of the odd byte. Some kinds of data begin with letters. */
  constructor(before: string) {
    this.#before = before;
  }

  /** The probe has come to text: `take` returns it, and the probe is over. */
  get isAtText(): boolean {
    return this.#state === "text";
  }

  /** Reads from `at` on, until it comes to text; returns the position after what it has read. */
  read(bytes: Uint8Array, at: number): number {
    let i = at;
    while (i < bytes.length && this.#state !== "text") this.#hold(bytes[i++] as number);
    return i;
  }

  /** What was read so far. If the probe has not decided yet, it decides by what it has. */
  take(): ProbeResult {
    if (this.#state === "suspect")
      this.#state = this.#heldBytes >= FEWEST_PROBED && this.#isBinary() ? "binary" : "text";
    else if (this.#heldBytes >= FEWEST_RESUMED) this.#state = "text";
    const text = this.#state === "text" ? this.#held.slice(0, this.#heldBytes) : NOTHING;
    if (this.#state !== "text") this.#countHeld();
    const binary = this.#kind && this.#binaryBytes > 0 ? { bytes: this.#binaryBytes, ...this.#kind } : null;
    this.#heldBytes = 0;
    this.#binaryBytes = 0;
    return { binary, text };
  }

  #hold(byte: number): void {
    const isOdd = this.#odd.add(byte);
    this.#held[this.#heldBytes++] = byte;
    if (this.#state === "suspect") {
      if (this.#heldBytes < PROBED_BYTES) return;
      this.#state = this.#isBinary() ? "binary" : "text";
      if (this.#state === "binary") this.#countHeld();
    } else if (isOdd) this.#countHeld();
    else if (this.#heldBytes === (this.#kind?.hasText ? RESUMED_BYTES_AMONG_TEXT : RESUMED_BYTES)) this.#state = "text";
  }

  #isBinary(): boolean {
    const { controls, broken } = this.#odd;
    return controls >= FEWEST_ODD_CONTROLS && controls + broken >= this.#heldBytes * ODD_PART;
  }

  /** What is held is binary data. */
  #countHeld(): void {
    this.#kind ??= binaryKind(this.#before, this.#held.subarray(0, this.#heldBytes));
    this.#binaryBytes += this.#heldBytes;
    this.#heldBytes = 0;
  }
}
