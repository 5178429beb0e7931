/** A text as a QR code for a terminal. */
import { renderUnicodeCompact } from "uqr";

export function qrCode(text: string): string {
  return renderUnicodeCompact(text, { border: 2, ecc: "L" });
}
