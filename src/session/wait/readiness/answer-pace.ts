/**
 * How the output since the last input came: when it began, and the longest pause in it. Before the first input, the
 * output since the start.
 */
import type { Cursor } from "../../../base/cursor.ts";

/** `line`: a key that makes programs act, such as Enter. `signal`: one that may end them, such as Ctrl+C. */
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

  /** Where the output was when the last input was typed. */
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

  /** The program waits for input: what was typed before is answered. */
  noteReady(): void {
    this.#typed = "nothing";
  }
}

/** Text, Tab and Backspace edit; so do keys that send sequences. */
function kindOf(bytes: Uint8Array): TypedKind {
  if (bytes.some((byte) => SIGNALS.includes(byte))) return "signal";
  return bytes.some((byte) => byte < 0x20 && !EDITING.includes(byte)) ? "line" : "key";
}
