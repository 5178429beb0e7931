/** Decodes UTF-8 whose bytes may be split at any position. */

const LONGEST_CHARACTER = 4;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * How many of `bytes` form complete characters: all, or up to three fewer if the last character is incomplete. Bytes
 * that can never become a character count as complete; they decode to U+FFFD.
 */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(LONGEST_CHARACTER - 1, bytes.length); back += 1) {
    const at = bytes.length - back;
    const lead = bytes[at] ?? 0;
    if ((lead & 0xc0) === 0x80) continue;
    return characterLength(lead) > back && canGoOn(bytes.subarray(at)) ? at : bytes.length;
  }
  return bytes.length;
}

/** Bytes that are not UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function characterLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
}

/** The ranges of the second byte exclude overlong forms, surrogates and code points above U+10FFFF. */
function canGoOn([lead = 0, second]: Uint8Array): boolean {
  if (second === undefined) return true;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second <= 0x9f;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second <= 0x8f;
}
