/** Input that a terminal holds for its program: how much of it is unread, what discards it, and discarding it. */
import { libc } from "../linux/libc.ts";
import { hasUnreadInput } from "./terminal-mode.ts";

/** How much input a program has not read yet. */
export interface UnreadInput {
  readonly bytes: number;
  /** False if more input may follow, in a kernel buffer that does not report its size. */
  readonly isExact: boolean;
}

// From asm-generic/ioctls.h and termbits.h, the same on x86-64 and arm64.
const FIONREAD = 0x541b;
const TCFLSH = 0x540b;
const LFLAG_AT = 12;
const CC_AT = 17;
const ISIG = 0o1;
const NOFLSH = 0o200;
const VINTR = 0;
const VQUIT = 1;
const VSUSP = 10;
/**
 * Half of the buffer of a terminal's line discipline. If it holds less than this, all typed input is in it, because
 * input waits outside only when the buffer is full. The count excludes an unfinished line, so the buffer may be full
 * before the count reaches its size.
 */
const SURELY_ALL_BYTES = 2048;
/** More rounds than the kernel's buffers can need. */
const MOST_ROUNDS = 16;

const termios = Buffer.alloc(128);
const word = Buffer.alloc(4);

/** In line mode, only whole lines count. */
export function unreadInTerminal(slave: number): UnreadInput {
  // Polling moves pending input from the master to the slave, so that it is counted.
  if (!hasUnreadInput(slave)) return { bytes: 0, isExact: true };
  const bytes = readCount(slave);
  return { bytes, isExact: bytes < SURELY_ALL_BYTES };
}

/** `end`: either end of the pipe. */
export function unreadInPipe(end: number): UnreadInput {
  return { bytes: readCount(end), isExact: true };
}

/**
 * The bytes that interrupt, quit or suspend the foreground program and discard what it has not read: Ctrl+C, Ctrl+\ and
 * Ctrl+Z unless the program has changed them. None while the program reads them as plain bytes.
 */
export function readSignalKeys(master: number): readonly number[] {
  if (libc.tcgetattr(master, termios) !== 0) return [];
  const flags = termios.readUInt32LE(LFLAG_AT);
  if ((flags & ISIG) === 0 || (flags & NOFLSH) !== 0) return [];
  // 0 disables a key.
  return [VINTR, VQUIT, VSUSP].map((key) => termios[CC_AT + key] ?? 0).filter((byte) => byte !== 0);
}

/** Discards all input that the program has not read. */
export function discardUnread(slave: number): void {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    libc.ioctl(slave, TCFLSH, null);
    // Input that waited outside has moved into the buffer.
    if (!hasUnreadInput(slave)) return;
  }
}

function readCount(fd: number): number {
  return libc.ioctl(fd, FIONREAD, word) === 0 ? word.readInt32LE() : 0;
}
