/**
 * Counts the bytes that do not occur in text: control characters without a meaning for a terminal, and bytes that are
 * not UTF-8.
 */
import { Utf8Scan } from "./utf8-scan.ts";

/** 1 for each control character that no terminal acts on. */
const IS_ODD_CONTROL: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= 0x06 || (byte >= 0x10 && byte <= 0x17) || byte === 0x19 || (byte >= 0x1c && byte <= 0x1f) || byte === 0x7f
    ? 1
    : 0,
);

export function isOddControl(byte: number): boolean {
  return IS_ODD_CONTROL[byte] === 1;
}

export class OddBytes {
  readonly #scan = new Utf8Scan();
  controls = 0;
  /** Characters that are not UTF-8. */
  broken = 0;

  /** Returns whether the byte is odd, or shows that the one before it was. */
  add(byte: number): boolean {
    const isBroken = this.#scan.add(byte);
    const isControl = IS_ODD_CONTROL[byte] === 1;
    if (isBroken) this.broken++;
    if (isControl) this.controls++;
    return isBroken || isControl;
  }
}
