/**
 * Finds any of a set of byte strings in one pass over the text (Aho-Corasick). Time grows with the length of the text
 * only, never with what it or the strings contain.
 *
 * A state is the longest beginning of one of the strings that the text read so far ends with; 0 is the empty one. A
 * state that has no continuation for a byte falls back to the longest shorter one, so a secret that overlaps the
 * beginning of another is found as well.
 */

/** At most this much of a secret may be shown while it is unknown whether its rest follows. */
const MOST_SHOWN_BYTES = 8;
const LEAST_SHOWN_BYTES = 3;
const SHOWN_SHARE = 3;

/** Pure: how many bytes of a string reveal too much of it, although they may be the beginning of something else. */
function tellingBytes(length: number): number {
  return Math.min(MOST_SHOWN_BYTES, Math.max(LEAST_SHOWN_BYTES, Math.ceil(length / SHOWN_SHARE)));
}

export class Automaton {
  /** For each byte, the state after it from the empty state. */
  readonly #roots = new Int32Array(256);
  /** For each two bytes, whether a string begins with them: few pairs do, so most of a text is skipped. */
  readonly #pairs = new Uint8Array(256 * 256);
  readonly #byte: Uint8Array;
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #fallback: Int32Array;
  readonly #depth: Int32Array;
  readonly #found: Int32Array;
  readonly #telling: Int32Array;
  readonly #resting: Int32Array;
  #states = 1;

  constructor(strings: readonly Uint8Array[]) {
    const most = 1 + strings.reduce((sum, { length }) => sum + length, 0);
    this.#byte = new Uint8Array(most);
    const numbers = () => new Int32Array(most);
    [this.#child, this.#sibling, this.#fallback] = [numbers(), numbers(), numbers()];
    [this.#depth, this.#found] = [numbers(), numbers()];
    [this.#telling, this.#resting] = [numbers(), numbers()];
    for (const string of strings) this.#add(string);
    this.#link();
  }

  /** The state after `byte`. */
  step(state: number, byte: number): number {
    for (let from = state; from !== 0; from = this.#fallback[from] as number) {
      const next = this.#next(from, byte);
      if (next !== 0) return next;
    }
    return this.#roots[byte] as number;
  }

  /** The first position from `from` on at which a string can begin; `to` if there is none. */
  skip(bytes: Uint8Array, from: number, to: number): number {
    const pairs = this.#pairs;
    let at = from;
    while (at < to - 1 && pairs[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] === 0) at++;
    return at === to - 1 && this.#roots[bytes[at] as number] === 0 ? to : at;
  }

  /**
   * The state to continue from: a string that is complete, and is not the beginning of a longer one, is no longer open.
   */
  resting(state: number): number {
    return this.#resting[state] as number;
  }

  /** How many bytes of the text belong to the beginning that this state stands for. */
  depth(state: number): number {
    return this.#depth[state] as number;
  }

  /** The length of the longest string that ends here; 0 if none does. */
  found(state: number): number {
    return this.#found[state] as number;
  }

  /** How many of the last bytes reveal too much of an incomplete string; 0 if none do. */
  telling(state: number): number {
    return this.#telling[state] as number;
  }

  #next(state: number, byte: number): number {
    if (state === 0) return this.#roots[byte] as number;
    let child = this.#child[state] as number;
    while (child !== 0 && this.#byte[child] !== byte) child = this.#sibling[child] as number;
    return child;
  }

  #add(string: Uint8Array): void {
    this.#pairs[((string[0] ?? 0) << 8) | (string[1] ?? 0)] = 1;
    const telling = tellingBytes(string.length);
    let state = 0;
    for (const [index, byte] of string.entries()) {
      state = this.#next(state, byte) || this.#grow(state, byte);
      if (index + 1 >= telling) this.#telling[state] = index + 1;
    }
    this.#found[state] = string.length;
  }

  #grow(state: number, byte: number): number {
    const grown = this.#states++;
    this.#byte[grown] = byte;
    this.#depth[grown] = this.depth(state) + 1;
    if (state === 0) this.#roots[byte] = grown;
    else {
      this.#sibling[grown] = this.#child[state] as number;
      this.#child[state] = grown;
    }
    return grown;
  }

  /** In the order of their depth, so that what a state falls back to is complete. */
  #link(): void {
    const queue = [...this.#roots].filter((state) => state !== 0);
    for (let at = 0; at < queue.length; at++) {
      const state = queue[at] as number;
      this.#resting[state] = this.#child[state] === 0 ? this.resting(this.#fallback[state] as number) : state;
      for (let child = this.#child[state] as number; child !== 0; child = this.#sibling[child] as number) {
        const fallback = this.step(this.#fallback[state] as number, this.#byte[child] as number);
        this.#fallback[child] = fallback;
        this.#found[child] = Math.max(this.found(child), this.found(fallback));
        this.#telling[child] = Math.max(this.telling(child), this.telling(fallback));
        queue.push(child);
      }
    }
  }
}
