/**
 * Removes barriers from the output of a program in a container, and reports each. A barrier is a secret and a number in
 * control characters. A terminal passes these characters on unchanged, and they do not move its column.
 */
import { randomInt } from "node:crypto";

/** Each control character stands for an octal digit. None of them moves the caret, ends a line or begins a sequence. */
const DIGITS: readonly number[] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x16, 0x17];
const SECRET_DIGITS = 20;
const NUMBER_DIGITS = 8;
const NOTHING = Buffer.alloc(0);

interface FilterParts {
  readonly deliver: (bytes: Uint8Array) => void;
  readonly onBarrier: (number: number) => void;
  /** Whether a barrier was written and has not arrived. Only then the beginning of one is held back. */
  readonly isExpected: () => boolean;
}

export class BarrierFilter {
  readonly #parts: FilterParts;
  readonly #secret = Buffer.from(Array.from({ length: SECRET_DIGITS }, () => digit(randomInt(DIGITS.length))));
  /** True once a barrier was written. Before that, none can arrive. */
  #isUsed = false;
  #held: Buffer = NOTHING;

  constructor(parts: FilterParts) {
    this.#parts = parts;
  }

  /** The bytes of a barrier. The caller must write them right away. */
  barrier(number: number): Buffer {
    this.#isUsed = true;
    const digits = Array.from({ length: NUMBER_DIGITS }, (_, place) => digit(Math.floor(number / 8 ** place) % 8));
    return Buffer.concat([this.#secret, Buffer.from(digits)]);
  }

  push(bytes: Uint8Array): void {
    if (this.#isUsed) this.#search(Buffer.concat([this.#held, bytes]));
    else this.#deliver(bytes);
  }

  /**
   * Delivers the bytes that were held back. Call when a barrier is no longer expected, and at the end of the output.
   */
  release(): void {
    const held = this.#held;
    this.#held = NOTHING;
    this.#deliver(held);
  }

  #search(all: Buffer): void {
    this.#held = NOTHING;
    const size = SECRET_DIGITS + NUMBER_DIGITS;
    let from = 0;
    for (let at = all.indexOf(this.#secret); at >= 0 && at + size <= all.length; at = all.indexOf(this.#secret, from)) {
      this.#deliver(all.subarray(from, at));
      from = at + size;
      this.#parts.onBarrier(numberOf(all.subarray(at + SECRET_DIGITS, from)));
    }
    const rest = all.subarray(from);
    const kept = this.#parts.isExpected() ? incompleteBytes(rest, this.#secret) : 0;
    this.#deliver(rest.subarray(0, rest.length - kept));
    this.#held = rest.subarray(rest.length - kept);
  }

  #deliver(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#parts.deliver(bytes);
  }
}

function digit(value: number): number {
  return DIGITS[value] ?? 0;
}

function numberOf(digits: Uint8Array): number {
  return [...digits].reduce((sum, byte, place) => sum + Math.max(0, DIGITS.indexOf(byte)) * 8 ** place, 0);
}

/** How many bytes at the end may be the beginning of a barrier. Pure. */
function incompleteBytes(bytes: Buffer, secret: Buffer): number {
  const at = bytes.indexOf(secret);
  if (at >= 0) return bytes.length - at;
  for (let count = Math.min(bytes.length, secret.length - 1); count > 0; count -= 1)
    if (bytes.subarray(bytes.length - count).equals(secret.subarray(0, count))) return count;
  return 0;
}
