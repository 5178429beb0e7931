/**
 * The title that a program gave its window (OSC 0 and 2), cut to a bound, and the titles on its stack (XTWINOPS 22,
 * 23).
 */
import { MAX_TITLE_CHARS } from "../../base/limits.ts";

/** The part of an OSC that matters: a number, and a title whose characters take up to four bytes. */
const KEPT_BYTES = 8 + 4 * MAX_TITLE_CHARS;
/** xterm keeps as many. */
const MOST_PUT_ASIDE = 10;

export class Titles {
  #current = "";
  #isOpen = false;
  readonly #aside: string[] = [];
  #kept: Uint8Array | undefined;
  #used = 0;

  get current(): string {
    return this.#current;
  }

  /** Call when a string begins; only an OSC can hold a title. */
  begin(kind: "osc" | "other"): void {
    this.#isOpen = kind === "osc";
    this.#used = 0;
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    if (!this.#isOpen || this.#used >= KEPT_BYTES) return;
    this.#kept ??= new Uint8Array(KEPT_BYTES);
    const piece = bytes.subarray(from, Math.min(to, from + KEPT_BYTES - this.#used));
    this.#kept.set(piece, this.#used);
    this.#used += piece.length;
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const text = new TextDecoder().decode(this.#kept?.subarray(0, this.#used));
    const title = /^[02];(.*)$/s.exec(text)?.[1];
    if (title !== undefined) this.#current = bounded(title);
  }

  /** XTWINOPS: 22 pushes the title, 23 pops it. */
  stack(operation: number): void {
    if (operation === 22 && this.#aside.length < MOST_PUT_ASIDE) this.#aside.push(this.#current);
    if (operation === 23) this.#current = this.#aside.pop() ?? this.#current;
  }
}

function bounded(title: string): string {
  const shown = title.replaceAll(/\p{Cc}/gu, "");
  return [...shown].slice(0, MAX_TITLE_CHARS).join("");
}
