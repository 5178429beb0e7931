/**
 * Opens a pseudo-terminal: the master for limpet, the slave for the program.
 *
 * This process keeps the slave open until it has handled the program's exit. Until then the kernel neither hangs up the
 * terminal nor discards buffered output.
 */

import { closeSync, constants, openSync } from "node:fs";
import { LimpetError } from "../base/limpet-error.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import { errno, errnoName, libc } from "../linux/libc.ts";

export interface Pty {
  readonly master: number;
  readonly slave: number;
  /** The path at which the program opens the slave. */
  readonly path: string;
}

// From asm-generic/ioctls.h, the same on x86-64 and arm64.
const TIOCSPTLCK = 0x40045431;
const TIOCGPTN = 0x80045430;
const TIOCSWINSZ = 0x5414;
const IUTF8 = 0o40000;
const TCSANOW = 0;
/** Larger than struct termios on every libc. */
const TERMIOS_BYTES = 128;

export function openPty(size: TerminalSize): Pty {
  const master = openTerminalFile("/dev/ptmx", constants.O_NONBLOCK);
  try {
    const word = Buffer.alloc(4);
    check(libc.ioctl(master, TIOCSPTLCK, word), "unlock the terminal");
    check(libc.ioctl(master, TIOCGPTN, word), "ask for the terminal's number");
    const path = `/dev/pts/${word.readInt32LE()}`;
    resizePty(master, size);
    makeUtf8(master);
    return { master, slave: openTerminalFile(path, 0), path };
  } catch (error) {
    closeSync(master);
    throw error;
  }
}

export function resizePty(master: number, size: TerminalSize): void {
  const winsize = Buffer.alloc(8);
  winsize.writeUInt16LE(size.rows, 0);
  winsize.writeUInt16LE(size.cols, 2);
  check(libc.ioctl(master, TIOCSWINSZ, winsize), "set the terminal's size");
}

/**
 * Makes erase remove whole characters in line mode. Everything else stays at the kernel's default, which is `stty
 * sane`.
 */
function makeUtf8(master: number): void {
  const termios = Buffer.alloc(TERMIOS_BYTES);
  check(libc.tcgetattr(master, termios), "read the terminal's mode");
  termios.writeUInt32LE(termios.readUInt32LE(0) | IUTF8, 0);
  check(libc.tcsetattr(master, TCSANOW, termios), "set the terminal's mode");
}

/** `openSync` sets close-on-exec, so that no program inherits another program's terminal. */
function openTerminalFile(path: string, flags: number): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NOCTTY | flags);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    throw new LimpetError("RESOURCE_EXHAUSTED", `A terminal could not be opened (${path}: ${code}). ${remedy(code)}`, {
      cause,
    });
  }
}

function remedy(code: string): string {
  switch (code) {
    case "EMFILE":
    case "ENFILE":
      return "Close sessions, or raise the limit of open files (ulimit -n).";
    case "ENOSPC":
      return "All terminals of this machine are in use: close sessions, or raise kernel.pty.max.";
    default:
      return "Check that /dev/ptmx and /dev/pts exist and may be opened.";
  }
}

function check(result: number, what: string): void {
  if (result === 0) return;
  throw new LimpetError(
    "SPAWN_FAILED",
    `Could not ${what} (${errnoName(errno())}). Try again; if it keeps failing, report it.`,
  );
}
