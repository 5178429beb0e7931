/**
 * Types lines that nobody sees, whatever mode the last program left the terminal in.
 *
 * For a moment the terminal gets a mode of ours: whole lines, no echo, no key that means anything. The end of the last line is
 * quoted in that mode, so that the line is there but not complete. Then the mode of before comes back, and only then
 * Ctrl+D, which is never shown, hands the line to its reader: whatever that does to the mode, it does after us. A change of mode keeps what
 * lies unread.
 */
import { libc } from "../linux/libc.ts";
import { hasUnreadInput } from "./terminal-mode.ts";

// From asm-generic/termbits.h and ioctls.h, the same on x86-64 and arm64.
const IFLAG_AT = 0;
const LFLAG_AT = 12;
const CC_AT = 17;
const CC_COUNT = 19;
const VEOF = 4;
const VMIN = 6;
const VLNEXT = 15;
/** ISTRIP, INLCR, IGNCR, ICRNL, IUCLC, IXON: all that changes or takes a byte on its way in. */
const INPUT_CHANGES = 0o40 | 0o100 | 0o200 | 0o400 | 0o1000 | 0o2000;
const ICANON = 0o2;
const IEXTEN = 0o100000;
/** ISIG, ECHO, ECHONL, EXTPROC. */
const KEYS_AND_ECHO = 0o1 | 0o10 | 0o100 | 0o200000;
/** Directly: the library's own functions ask for the mode once before and once after they set it. */
const TCGETS = 0x5401;
const TCSETS = 0x5402;
const TCFLSH = 0x540b;
const TERMIOS_BYTES = 64;
const QUOTE = 0x16;
const LINE_FEED = 0x0a;

export interface TerminalEnds {
  readonly master: number;
  readonly slave: number;
}

export interface UnseenOptions {
  /** What was typed before and is unread stays. Default false: it is thrown away. */
  readonly keepUnread?: boolean;
  /** Echo and keys stay off until the next call. Default false. */
  readonly stayHidden?: boolean;
}

export class UnseenTyping {
  readonly #own = Buffer.alloc(TERMIOS_BYTES);
  readonly #saved = Buffer.alloc(TERMIOS_BYTES);
  #isHiding = false;

  /**
   * Whole lines; the last one alone unless echo stays off. Nothing at all is an end of input, for one that reads lines. False when the terminal did not take all of it: it is gone, or
   * the lines are more than it holds.
   */
  type(ends: TerminalEnds, lines: Uint8Array, { keepUnread = false, stayHidden = false }: UnseenOptions = {}): boolean {
    const { master, slave } = ends;
    if (!keepUnread) {
      // Asking moves on what still lies between the two sides, so that it is dropped, too.
      hasUnreadInput(slave);
      libc.ioctl(slave, TCFLSH, null);
    }
    this.#hide(ends);
    const isTaken = writeAll(master, quoted(lines, stayHidden ? "whole" : "open"));
    hasUnreadInput(slave);
    if (!stayHidden) this.#show(ends);
    return isTaken;
  }

  #hide({ master }: TerminalEnds): void {
    if (this.#isHiding) {
      // A shell that edits lines puts its own mode back when it is done, and that has echo.
      libc.ioctl(master, TCSETS, this.#own);
      return;
    }
    if (libc.ioctl(master, TCGETS, this.#saved) !== 0) return;
    this.#saved.copy(this.#own);
    const input = this.#own.readUInt32LE(IFLAG_AT) & ~INPUT_CHANGES;
    const local = (this.#own.readUInt32LE(LFLAG_AT) & ~KEYS_AND_ECHO) | ICANON | IEXTEN;
    this.#own.writeUInt32LE(input >>> 0, IFLAG_AT);
    this.#own.writeUInt32LE(local >>> 0, LFLAG_AT);
    this.#own.fill(0, CC_AT, CC_AT + CC_COUNT);
    this.#own[CC_AT + VMIN] = 1;
    this.#own[CC_AT + VLNEXT] = QUOTE;
    this.#isHiding = libc.ioctl(master, TCSETS, this.#own) === 0;
  }

  /** The mode that was there before, and the line to its reader. */
  #show({ master }: TerminalEnds): void {
    if (!this.#isHiding) return;
    this.#isHiding = false;
    libc.ioctl(master, TCSETS, this.#saved);
    // Outside of line mode all that lies there is the reader's.
    if ((this.#saved.readUInt32LE(LFLAG_AT) & ICANON) === 0) return;
    // Who has no such key gets an empty line on top.
    writeAll(master, Buffer.of(this.#saved[CC_AT + VEOF] || LINE_FEED));
  }
}

/** Pure: no byte is a quote, and the last line feed ends no line where it is to stay open. */
function quoted(lines: Uint8Array, end: "whole" | "open"): Uint8Array {
  if (lines.length === 0) return lines;
  const text = Buffer.from(lines).toString("latin1").replaceAll("\x16", "\x16\x16");
  return Buffer.from(end === "open" ? `${text.slice(0, -1)}\x16\n` : text, "latin1");
}

function writeAll(master: number, bytes: Uint8Array): boolean {
  return libc.write(master, bytes, bytes.length) === bytes.length;
}
