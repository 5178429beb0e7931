/** Splits input into keys: an escape sequence is one key, and a terminal may send several keys at once. */
export function keysOf(text: string): string[] {
  return text.match(/\x1b(?:\[[\d;]*[A-Za-z~]|O[A-Za-z])|./gsu) ?? [];
}
