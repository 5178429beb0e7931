/**
 * Types lines without echoing them, in whatever mode the last program left the terminal.
 *
 * First it sets line mode without echo and without special keys, and types the lines. The end of the last line is
 * quoted in that mode, so that the line is present but incomplete. Then it restores the previous mode, and only then
 * completes the line with Ctrl+D, which is never echoed. So a change of mode by the reader comes after ours. Changing
 * the mode keeps unread input.
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
/** ISTRIP, INLCR, IGNCR, ICRNL, IUCLC, IXON: everything that changes or removes an input byte. */
const INPUT_CHANGES = 0o40 | 0o100 | 0o200 | 0o400 | 0o1000 | 0o2000;
const ICANON = 0o2;
const IEXTEN = 0o100000;
/** ISIG, ECHO, ECHONL, EXTPROC. */
const KEYS_AND_ECHO = 0o1 | 0o10 | 0o100 | 0o200000;
/** Set with ioctl: the libc functions read the mode once before and once after setting it. */
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
  /** Keeps input that was typed earlier and is still unread. Default false: it is discarded. */
  readonly keepUnread?: boolean;
  /** Echo and special keys stay off until the next call. Default false. */
  readonly stayHidden?: boolean;
}

export class UnseenTyping {
  readonly #own = Buffer.alloc(TERMIOS_BYTES);
  readonly #saved = Buffer.alloc(TERMIOS_BYTES);
  #isHiding = false;

  /**
   * Types whole lines; only one if echo comes back on. Empty input sends end-of-file to a program that reads lines.
   * Returns false if the terminal did not accept everything: it is closed, or the lines exceed its buffer.
   */
  type(ends: TerminalEnds, lines: Uint8Array, { keepUnread = false, stayHidden = false }: UnseenOptions = {}): boolean {
    const { master, slave } = ends;
    if (!keepUnread) {
      // Polling moves pending input to the slave, so that the flush discards it as well.
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
      // A shell with line editing restores its own mode, with echo, when it is done.
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

  /** Restores the saved mode and delivers the line to its reader. */
  #show({ master }: TerminalEnds): void {
    if (!this.#isHiding) return;
    this.#isHiding = false;
    libc.ioctl(master, TCSETS, this.#saved);
    // Outside line mode the reader already receives everything.
    if ((this.#saved.readUInt32LE(LFLAG_AT) & ICANON) === 0) return;
    // If the mode has no end-of-file key, the reader gets an additional empty line.
    writeAll(master, Buffer.of(this.#saved[CC_AT + VEOF] || LINE_FEED));
  }
}

/** Pure: escapes quote bytes, and quotes the last line feed if the line stays open. */
function quoted(lines: Uint8Array, end: "whole" | "open"): Uint8Array {
  if (lines.length === 0) return lines;
  const text = Buffer.from(lines).toString("latin1").replaceAll("\x16", "\x16\x16");
  return Buffer.from(end === "open" ? `${text.slice(0, -1)}\x16\n` : text, "latin1");
}

function writeAll(master: number, bytes: Uint8Array): boolean {
  return libc.write(master, bytes, bytes.length) === bytes.length;
}
