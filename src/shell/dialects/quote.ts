/**
 * Quotes text as a literal that a shell reads back exactly, in adjacent pieces.
 *
 * All strings here are bytes, one character each (latin1), because bytes are typed.
 */

/** The longest piece. Every line has room for at least one. */
const PIECE_BYTES = 3_600;

/** As bytes, one character each. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** `$'…'`: contains no character that a shell treats specially while it reads a line. */
export function dollarQuote(bytes: string): string[] {
  const text = bytes.replace(/[\x00-\x1f\x7f'\\!]/g, octal);
  const pieces: string[] = [];
  for (let at = 0; at < text.length || at === 0; ) {
    const end = beforeEscape(text, at + PIECE_BYTES);
    pieces.push(`$'${text.slice(at, end)}'`);
    at = end;
  }
  return pieces;
}

/** `'…'`: every byte is literal, including line ends. */
export function singleQuote(bytes: string): string[] {
  const pieces: string[] = [];
  // A quote becomes four bytes.
  for (let at = 0; at < bytes.length || at === 0; at += PIECE_BYTES / 4) {
    pieces.push(`'${bytes.slice(at, at + PIECE_BYTES / 4).replaceAll("'", "'\\''")}'`);
  }
  return pieces;
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

/** Pure: `end`, or the beginning of the escape that `end` would split. */
function beforeEscape(text: string, end: number): number {
  const escapeAt = text.slice(Math.max(0, end - 3), end).lastIndexOf("\\");
  return end < text.length && escapeAt >= 0 ? end - 3 + escapeAt : end;
}
