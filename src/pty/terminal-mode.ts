/** What the program asked of its terminal, as the kernel knows it. */
import { libc } from "../linux/libc.ts";

/** What the program asked of its terminal. Line mode without echo is how passwords are asked for. */
export interface TerminalMode {
  /** Line mode: the kernel edits and delivers whole lines. Off in editors and REPLs, which read each key. */
  readonly isCanonical: boolean;
  /** Typed characters are shown. Off while a password is asked for. */
  readonly isEchoing: boolean;
}

const ICANON = 0o2;
const ECHO = 0o10;
const C_LFLAG_AT = 12;
const termios = Buffer.alloc(128);

/** Undefined once the terminal is gone. Costs some 4 µs. */
export function readTerminalMode(master: number): TerminalMode | undefined {
  if (libc.tcgetattr(master, termios) !== 0) return undefined;
  const flags = termios.readUInt32LE(C_LFLAG_AT);
  return { isCanonical: (flags & ICANON) !== 0, isEchoing: (flags & ECHO) !== 0 };
}

/** The process group that the terminal's keys go to; undefined where there is none. */
export function readForegroundGroup(master: number): number | undefined {
  const group = libc.tcgetpgrp(master);
  return group > 0 ? group : undefined;
}

const pollfd = Buffer.alloc(8);
const POLLIN = 1;

/**
 * Whether something typed waits to be read: a whole line in line mode, any key otherwise. Asked through `poll` on
 * the program's side, because that also moves on what still lies between the two sides.
 */
export function hasUnreadInput(slave: number): boolean {
  pollfd.writeInt32LE(slave, 0);
  pollfd.writeInt16LE(POLLIN, 4);
  pollfd.writeInt16LE(0, 6);
  return libc.poll(pollfd, 1, 0) > 0;
}
