/**
 * Types a line without echoing it, in whatever mode the last program left the terminal.
 *
 * First it sets line mode without echo and without special keys, and types the line. The end of the line is quoted in
 * that mode, so that the line is present but incomplete. Then it restores the previous mode, and only then completes
 * the line with Ctrl+D, which is never echoed. So a change of mode by the reader comes after ours. Changing the mode
 * keeps unread input, as long as it stays a line mode.
 */
import { libc } from "../linux/libc.ts";
import { hasUnreadInput } from "./terminal-mode.ts";
import { discardUnread } from "./typed-input.ts";

// From asm-generic/termbits.h and ioctls.h, the same on x86-64 and arm64.
const IFLAG_AT = 0;
const LFLAG_AT = 12;
const CC_AT = 17;
const CC_COUNT = 19;
const VEOF = 4;
const VTIME = 5;
const VMIN = 6;
const VLNEXT = 15;
/** ISTRIP, INLCR, IGNCR, ICRNL, IUCLC, IXON: everything that changes or removes an input byte. */
const INPUT_CHANGES = 0o40 | 0o100 | 0o200 | 0o400 | 0o1000 | 0o2000;
const ICANON = 0o2;
const IEXTEN = 0o100000;
/** ISIG, EXTPROC. */
const KEYS = 0o1 | 0o200000;
/** ECHO, ECHONL. */
const ECHOES = 0o10 | 0o100;
/** Set with ioctl: the libc functions read the mode once before and once after setting it. */
const TCGETS = 0x5401;
const TCSETS = 0x5402;
const TERMIOS_BYTES = 64;
const QUOTE = 0x16;
/** How much unread input the kernel buffers. */
const INPUT_BYTES = 4096;
const LINE_FEED = 0x0a;

export interface TerminalEnds {
  readonly master: number;
  readonly slave: number;
}

/**
 * Types one line; input that was typed earlier and is still unread is discarded. An empty line sends end-of-file to a
 * program that reads lines. Returns false if the terminal did not accept everything: it is closed, or the line exceeds
 * its buffer.
 */
export function typeUnseen(ends: TerminalEnds, line: Uint8Array): boolean {
  // Polling moves a line that is not complete to the slave, so that it is discarded as well.
  hasUnreadInput(ends.slave);
  discardUnread(ends.slave);
  return typeKept(ends, line.length === 0 ? line : quoted(line));
}

/** Turns echo off, and on again. */
export class EchoSwitch {
  #saved: Buffer | undefined;

  /** Turns line mode on and echo off until `show`. */
  hide({ master }: TerminalEnds): void {
    const mode = readMode(master);
    if (!mode) return;
    this.#saved ??= Buffer.from(mode);
    mode.writeUInt32LE(((localOf(mode) & ~ECHOES) | ICANON) >>> 0, LFLAG_AT);
    libc.ioctl(master, TCSETS, mode);
  }

  /** Restores what `hide` has changed; other changes since then stay. */
  show({ master }: TerminalEnds): void {
    const [saved, mode] = [this.#saved, readMode(master)];
    this.#saved = undefined;
    if (!saved || !mode) return;
    const changed = ECHOES | ICANON;
    mode.writeUInt32LE(((localOf(mode) & ~changed) | (localOf(saved) & changed)) >>> 0, LFLAG_AT);
    libc.ioctl(master, TCSETS, mode);
  }
}

/**
 * Takes typed input that no process has read, including an incomplete line. Returns nothing outside line mode. Call
 * only while no program reads the terminal: it could get part of the input.
 */
export function takeInput({ master, slave }: TerminalEnds): Buffer {
  const mode = readMode(master);
  if (!mode || (localOf(mode) & ICANON) === 0) return Buffer.alloc(0);
  const raw = Buffer.from(mode);
  raw.writeUInt32LE((localOf(raw) & ~(ICANON | ECHOES)) >>> 0, LFLAG_AT);
  raw[CC_AT + VMIN] = 0;
  raw[CC_AT + VTIME] = 0;
  libc.ioctl(master, TCSETS, raw);
  hasUnreadInput(slave);
  const taken = Buffer.alloc(INPUT_BYTES);
  const count = libc.read(slave, taken, taken.length);
  libc.ioctl(master, TCSETS, mode);
  return taken.subarray(0, Math.max(0, count));
}

/** Types input again that `takeInput` has returned, without echo. The kernel marks an end-of-file in it with a NUL. */
export function giveBackInput(ends: TerminalEnds, taken: Uint8Array): void {
  const parts = Buffer.from(taken).toString("latin1").split("\0");
  for (const [index, part] of parts.entries()) {
    const text = Buffer.from(part.replaceAll("\x16", "\x16\x16"), "latin1");
    if (index < parts.length - 1) typeKept(ends, text);
    else typeIn(ends, text);
  }
}

/** Types text in our own mode, then end-of-file in the terminal's own, which completes an open line. */
function typeKept(ends: TerminalEnds, text: Uint8Array): boolean {
  const { master } = ends;
  const mode = typeIn(ends, text);
  // Outside line mode the reader already receives everything.
  if (mode === undefined || (localOf(mode) & ICANON) === 0) return mode !== undefined;
  // If the mode has no end-of-file key, the reader gets an additional empty line.
  return writeAll(master, Buffer.of(mode[CC_AT + VEOF] || LINE_FEED));
}

/** Returns the mode of the terminal; undefined if it did not accept the text. */
function typeIn({ master, slave }: TerminalEnds, text: Uint8Array): Buffer | undefined {
  const mode = readMode(master);
  if (!mode) return undefined;
  const own = Buffer.from(mode);
  const input = own.readUInt32LE(IFLAG_AT) & ~INPUT_CHANGES;
  own.writeUInt32LE(input >>> 0, IFLAG_AT);
  own.writeUInt32LE(((localOf(own) & ~(ECHOES | KEYS)) | ICANON | IEXTEN) >>> 0, LFLAG_AT);
  own.fill(0, CC_AT, CC_AT + CC_COUNT);
  own[CC_AT + VMIN] = 1;
  own[CC_AT + VLNEXT] = QUOTE;
  libc.ioctl(master, TCSETS, own);
  const isTaken = writeAll(master, text);
  // Polling moves the text to the slave while it is in our mode.
  hasUnreadInput(slave);
  libc.ioctl(master, TCSETS, mode);
  return isTaken ? mode : undefined;
}

function readMode(master: number): Buffer | undefined {
  const mode = Buffer.alloc(TERMIOS_BYTES);
  return libc.ioctl(master, TCGETS, mode) === 0 ? mode : undefined;
}

function localOf(mode: Buffer): number {
  return mode.readUInt32LE(LFLAG_AT);
}

/** Pure: escapes quote bytes, and quotes the last line feed, so that the line stays open. */
function quoted(line: Uint8Array): Uint8Array {
  const text = Buffer.from(line).toString("latin1").replaceAll("\x16", "\x16\x16");
  return Buffer.from(`${text.slice(0, -1)}\x16\n`, "latin1");
}

function writeAll(master: number, bytes: Uint8Array): boolean {
  return libc.write(master, bytes, bytes.length) === bytes.length;
}
