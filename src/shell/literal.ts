/**
 * Any text as a literal that a shell reads back exactly, in pieces that stand side by side.
 *
 * All strings here are bytes, one character each (latin1), because that is what is typed.
 */

/** Bytes of the text in one piece: each becomes four at most. */
const PIECE_BYTES = 450;
/** As long as lines may be short. */
const SHORT_PIECE_BYTES = 150;

/** As bytes, one character each. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** `$'…'`: without any character that a shell treats specially while it reads a line. */
export function dollarQuote(bytes: string): string[] {
  return cut(bytes, PIECE_BYTES, (part) => `$'${part.replace(/[\x00-\x1f\x7f'\\!]/g, octal)}'`);
}

/** The same with nothing but printable ASCII, for a shell that edits lines, and in short pieces. */
export function printableQuote(bytes: string): string[] {
  return cut(bytes, SHORT_PIECE_BYTES, (part) => `$'${part.replace(/[^ -~]|['\\!]/g, octal)}'`);
}

/** `'…'`: every byte stands for itself, line ends included. */
export function singleQuote(bytes: string): string[] {
  return cut(bytes, PIECE_BYTES, (part) => `'${part.replaceAll("'", "'\\''")}'`);
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

function cut(bytes: string, pieceBytes: number, quote: (part: string) => string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += pieceBytes) {
    pieces.push(quote(bytes.slice(at, at + pieceBytes)));
  }
  return pieces;
}
