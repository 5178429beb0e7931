/** What is left of input that contains an interrupt key, which discards everything before it. Pure. */
import type { InputPart } from "./input-part.ts";

export interface InterruptRest {
  readonly parts: readonly InputPart[];
  /** Bytes of the same input before the key. */
  readonly droppedBytes: number;
}

/** Ctrl+V makes the next byte literal. */
const QUOTE = 0x16;

/** What is left of the input from its last interrupt key on; undefined if it has none. `encoded`: as bytes. */
export function restFromInterrupt(
  parts: readonly InputPart[],
  encoded: readonly Uint8Array[],
  keys: readonly number[],
): InterruptRest | undefined {
  const index = encoded.findLastIndex((bytes) => interruptAt(bytes, keys) >= 0);
  const bytes = encoded[index];
  if (!bytes) return undefined;
  const at = interruptAt(bytes, keys);
  const before = encoded.slice(0, index).reduce((sum, { length }) => sum + length, 0);
  return { parts: [{ encode: () => bytes.subarray(at) }, ...parts.slice(index + 1)], droppedBytes: before + at };
}

/** Where the last key that interrupts is; -1 if there is none. */
function interruptAt(bytes: Uint8Array, keys: readonly number[]): number {
  if (keys.length === 0) return -1;
  return bytes.findLastIndex((byte, at) => keys.includes(byte) && bytes[at - 1] !== QUOTE);
}
