/**
 * The line that someone has typed without Enter, as the terminal edits it. A shell that reads lines does not have it
 * yet, and the kernel does not report it.
 */

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
const [INTERRUPT, KILL, QUIT, SUSPEND] = [0x03, 0x15, 0x1c, 0x1a];
const [BACKSPACE, DELETE, WORD_ERASE] = [0x08, 0x7f, 0x17];
const END_OF_FILE = 0x04;
const LITERAL_NEXT = 0x16;

/** Each of these ends the line or discards it. */
const CLEARING: ReadonlySet<number> = new Set([LINE_FEED, CARRIAGE_RETURN, INTERRUPT, KILL, QUIT, SUSPEND]);
const ERASING: ReadonlySet<number> = new Set([BACKSPACE, DELETE]);

/** Pure: the line after `bytes` are typed behind `before`. These are a terminal's default keys. */
export function unfinishedLine(before: string, bytes: Uint8Array): string {
  let line = Buffer.from(before, "utf8").toString("latin1");
  let isLiteral = false;
  for (const byte of bytes) {
    if (isLiteral) line += String.fromCharCode(byte);
    else if (CLEARING.has(byte)) line = "";
    else if (ERASING.has(byte)) line = withoutLastCharacter(line);
    else if (byte === WORD_ERASE) line = line.replace(/\S*\s*$/, "");
    // The program gets what was typed so far, and the line goes on.
    else if (byte !== END_OF_FILE && byte !== LITERAL_NEXT) line += String.fromCharCode(byte);
    isLiteral = !isLiteral && byte === LITERAL_NEXT;
  }
  return Buffer.from(line, "latin1").toString("utf8");
}

/** A character of UTF-8 is one byte, or a first byte and some between 0x80 and 0xbf. */
function withoutLastCharacter(line: string): string {
  return line.replace(/[^\x80-\xbf]?[\x80-\xbf]*$/s, "");
}
