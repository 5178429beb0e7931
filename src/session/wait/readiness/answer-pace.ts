/**
 * Measures the output since the last input: how long it took to start, and its longest pause. Before the first input,
 * it measures the output since the start.
 */
import type { Cursor } from "../../../base/cursor.ts";

/**
 * What was typed. `line`: a key that makes programs act, such as Enter. `signal`: a key that may end them, such as
 * Ctrl+C.
 */
export type TypedKind = "nothing" | "key" | "line" | "signal";

/** ESC, Tab and Backspace. */
const EDITING: readonly number[] = [0x1b, 0x09, 0x08];
/** Ctrl+C, Ctrl+Z and Ctrl+\\. */
const SIGNALS: readonly number[] = [0x03, 0x1a, 0x1c];

export class AnswerPace {
  #sinceMs: number;
  #lastMs: number | undefined;
  #firstPauseMs = 0;
  #longestPauseMs = 0;
  #typed: TypedKind = "nothing";
  #typedAt: Cursor | undefined;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  get longestPauseMs(): number {
    return this.#longestPauseMs;
  }

  /** 0 until the first output. */
  get firstPauseMs(): number {
    return this.#firstPauseMs;
  }

  /** What was typed since the program was last known to wait. */
  get typed(): TypedKind {
    return this.#typed;
  }

  /** The end of the output when the last input was typed. */
  get typedAt(): Cursor | undefined {
    return this.#typedAt;
  }

  noteTyped(bytes: Uint8Array, cursor: Cursor, nowMs: number): void {
    const kind = kindOf(bytes);
    if (kind !== "key" || this.#typed === "nothing") this.#typed = kind;
    this.#typedAt = cursor;
    this.#sinceMs = nowMs;
    this.#lastMs = undefined;
    this.#firstPauseMs = 0;
    this.#longestPauseMs = 0;
  }

  noteOutput(nowMs: number): void {
    if (this.#lastMs === undefined) this.#firstPauseMs = nowMs - this.#sinceMs;
    else this.#longestPauseMs = Math.max(this.#longestPauseMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }

  /** Call when the program waits for input: everything typed before is answered. */
  noteReady(): void {
    this.#typed = "nothing";
  }
}

/** Text, Tab and Backspace edit; so do keys that send sequences. */
function kindOf(bytes: Uint8Array): TypedKind {
  if (bytes.some((byte) => SIGNALS.includes(byte))) return "signal";
  return bytes.some((byte) => byte < 0x20 && !EDITING.includes(byte)) ? "line" : "key";
}
