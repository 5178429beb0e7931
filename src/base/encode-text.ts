import { LimpetError } from "./limpet-error.ts";

/** Text as the bytes that a terminal is sent. */
export function encodeText(text: string): Uint8Array {
  if (/\p{Surrogate}/u.test(text)) {
    throw new LimpetError(
      "BAD_OPTION",
      "The text holds half of a surrogate pair, which no terminal can be sent. Repair the text, or pass bytes.",
    );
  }
  return new TextEncoder().encode(text);
}
