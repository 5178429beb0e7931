import { LimpetError } from "../limpet-error.ts";

/** Encodes text as the bytes to send to a terminal. */
export function encodeText(text: string): Uint8Array {
  if (/\p{Surrogate}/u.test(text)) {
    throw new LimpetError(
      "BAD_OPTION",
      "The text contains half of a surrogate pair, which has no UTF-8 form. Fix the text, or pass bytes.",
    );
  }
  return new TextEncoder().encode(text);
}
