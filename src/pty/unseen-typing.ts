/**
 * Types a line that nobody sees, whatever mode the last program left the terminal in.
 *
 * For a moment the terminal gets a mode of ours: whole lines, no echo, no key that means anything. The kernel turns what was
 * written into a line for the reader while that mode holds; then the mode that was there before is back. A change of mode
 * keeps what lies unread, so the reader never notices.
 */
import { libc } from "./libc.ts";
import { hasUnreadInput } from "./terminal-mode.ts";

// From asm-generic/termbits.h and ioctls.h, the same on x86-64 and arm64.
const IFLAG_AT = 0;
const LFLAG_AT = 12;
const CC_AT = 17;
const CC_COUNT = 32;
const VMIN = 6;
/** ISTRIP, INLCR, IGNCR, ICRNL, IUCLC, IXON: all that changes or takes a byte on its way in. */
const INPUT_CHANGES = 0o40 | 0o100 | 0o200 | 0o400 | 0o1000 | 0o2000;
const ICANON = 0o2;
/** ISIG, ECHO, ECHONL, IEXTEN, EXTPROC. */
const KEYS_AND_ECHO = 0o1 | 0o10 | 0o100 | 0o100000 | 0o200000;
const TCSANOW = 0;
const TCFLSH = 0x540b;
const TERMIOS_BYTES = 128;

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

  #hide({ master }: TerminalEnds): void {
    if (this.#isHiding || libc.tcgetattr(master, this.#saved) !== 0) return;
    this.#saved.copy(this.#own);
    this.#own.writeUInt32LE(unsigned(this.#own.readUInt32LE(IFLAG_AT) & ~INPUT_CHANGES), IFLAG_AT);
    this.#own.writeUInt32LE(unsigned((this.#own.readUInt32LE(LFLAG_AT) & ~KEYS_AND_ECHO) | ICANON), LFLAG_AT);
    this.#own.fill(0, CC_AT, CC_AT + CC_COUNT);
    this.#own[CC_AT + VMIN] = 1;
    this.#isHiding = libc.tcsetattr(master, TCSANOW, this.#own) === 0;
  }

  /**
   * Replaces what was typed ahead and not read. False when the terminal did not take all of it: it is gone, or the lines are
   * more than it holds.
   */
  type(ends: TerminalEnds, lines: Uint8Array, { keepUnread = false, stayHidden = false }: UnseenOptions = {}): boolean {
    const { master, slave } = ends;
    if (!keepUnread) {
      // The look moves on what still lies between the two sides, so that it is thrown away, too.
      hasUnreadInput(slave);
      libc.ioctl(slave, TCFLSH, null);
    }
    this.#hide(ends);
    const isTaken = libc.write(master, lines, lines.length) === lines.length;
    hasUnreadInput(slave);
    if (!stayHidden) this.#show(ends);
    return isTaken;
  }

  /** The mode that was there before. */
  #show({ master }: TerminalEnds): void {
    if (!this.#isHiding) return;
    this.#isHiding = false;
    libc.tcsetattr(master, TCSANOW, this.#saved);
  }
}

function unsigned(flags: number): number {
  return flags >>> 0;
}
