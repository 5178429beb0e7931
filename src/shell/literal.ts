/**
 * Any text as a literal that a shell reads back exactly, in pieces that stand side by side.
 *
 * All strings here are bytes, one character each (latin1), because that is what is typed.
 */

/** Long enough to be few, short enough that a line holds one and more. */
const PIECE_BYTES = 1800;

/** As bytes, one character each. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** `$'…'`: printable, without any character that a shell treats specially while it reads a line. */
export function dollarQuote(bytes: string): string[] {
  return cut(bytes, (part) => `$'${part.replace(/[\x00-\x1f\x7f'\\!]/g, octal)}'`);
}

/** `'…'`: every byte stands for itself, line ends included. */
export function singleQuote(bytes: string): string[] {
  return cut(bytes, (part) => `'${part.replaceAll("'", "'\\''")}'`);
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

function cut(bytes: string, quote: (part: string) => string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += PIECE_BYTES / 4) {
    pieces.push(quote(bytes.slice(at, at + PIECE_BYTES / 4)));
  }
  return pieces;
}
