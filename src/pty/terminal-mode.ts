/** Reads the state of a terminal from the kernel: mode, foreground group, unread input. */
import type { TerminalSize } from "../base/terminal-size.ts";
import { libc } from "../linux/libc.ts";

/** The mode that the program has set on its terminal. Password prompts use line mode without echo. */
export interface TerminalMode {
  /** Line mode: the kernel edits and delivers whole lines. Off in editors and REPLs, which read single keys. */
  readonly isCanonical: boolean;
  /** Typed characters are echoed. Off while a password is typed. */
  readonly isEchoing: boolean;
}

const ICANON = 0o2;
const ECHO = 0o10;
const C_LFLAG_AT = 12;
/** The fewest bytes that a read waits for: c_cc[VMIN]. */
const VMIN_AT = 17 + 6;
const termios = Buffer.alloc(128);

/** Undefined once the terminal is closed. Costs about 4 µs. */
export function readTerminalMode(master: number): TerminalMode | undefined {
  if (libc.tcgetattr(master, termios) !== 0) return undefined;
  const flags = termios.readUInt32LE(C_LFLAG_AT);
  return { isCanonical: (flags & ICANON) !== 0, isEchoing: (flags & ECHO) !== 0 };
}

/** Whether a read of keys can return without a key, at once or after a while. False in line mode. */
export function readsInSteps(terminal: number): boolean {
  if (libc.tcgetattr(terminal, termios) !== 0) return false;
  return (termios.readUInt32LE(C_LFLAG_AT) & ICANON) === 0 && termios.readUInt8(VMIN_AT) === 0;
}

const TIOCGWINSZ = 0x5413;
const winsize = Buffer.alloc(8);

/** In characters, 0 if it was never set; undefined once the terminal is closed. */
export function readTerminalSize(terminal: number): TerminalSize | undefined {
  if (libc.ioctl(terminal, TIOCGWINSZ, winsize) !== 0) return undefined;
  return { rows: winsize.readUInt16LE(0), cols: winsize.readUInt16LE(2) };
}

/** The process group that receives the terminal's keys; undefined if there is none. */
export function readForegroundGroup(master: number): number | undefined {
  const group = libc.tcgetpgrp(master);
  return group > 0 ? group : undefined;
}

const pollfd = Buffer.alloc(8);
const POLLIN = 1;
const POLLOUT = 4;

/**
 * Whether typed input is still unread: a whole line in line mode, any key otherwise. Uses `poll` on the slave, because
 * that also makes the kernel move pending input from the master to the slave.
 */
export function hasUnreadInput(slave: number): boolean {
  return isReady(slave, POLLIN);
}

/**
 * Whether a terminal accepts input now. If so, it accepts at least 256 bytes, because the kernel counts its buffer in
 * steps of that size.
 */
export function takesInput(master: number): boolean {
  return isReady(master, POLLOUT);
}

function isReady(fd: number, events: number): boolean {
  pollfd.writeInt32LE(fd, 0);
  pollfd.writeInt16LE(events, 4);
  pollfd.writeInt16LE(0, 6);
  return libc.poll(pollfd, 1, 0) > 0;
}
