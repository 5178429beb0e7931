/**
 * Text as a terminal sends it when a person pastes it. Between the two marks of bracketed paste, a program treats
 * everything as text. A text that contains the end mark would break out of the paste and act as keys.
 */
import type { TerminalModes } from "../base/terminal-modes.ts";

const BEGIN = "\x1b[200~";
const END = "\x1b[201~";
/** The same mark with CSI as one character, for programs that accept 8-bit controls. */
const ENDS = [END, "\x9b201~"].map((mark) => Array.from(mark, (char) => char.charCodeAt(0)));
const TILDE = 0x7e;

/**
 * The input that pasting a text produces. Lines end in \r, as if Enter ended them; the text is between marks if the
 * program asked for bracketed paste. No control character but Tab passes, because a program may act on it: each becomes
 * its picture (␛ for Escape), those from U+0080 on become U+FFFD. End marks are removed, also nested ones.
 */
export function encodePaste(text: string, modes: TerminalModes): string {
  const typed = withoutEndMarks(text)
    .replace(/\r\n?|\n/gu, "\r")
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/gu, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replace(/\x7f/gu, "\u2421")
    .replace(/[\x80-\x9f]/gu, "\ufffd");
  return modes.bracketedPaste ? `${BEGIN}${typed}${END}` : typed;
}

/** One pass is enough for nested marks: a mark is removed as soon as its last character is appended. */
function withoutEndMarks(text: string): string {
  if (!text.includes("201~")) return text;
  const kept = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    kept[length] = unit;
    length += 1;
    if (unit === TILDE) length -= ENDS.find((mark) => endsWith(kept, length, mark))?.length ?? 0;
  }
  return Buffer.from(kept.buffer, 0, length * 2).toString("utf16le");
}

function endsWith(kept: Uint16Array, length: number, mark: readonly number[]): boolean {
  const start = length - mark.length;
  return start >= 0 && mark.every((unit, at) => kept[start + at] === unit);
}
