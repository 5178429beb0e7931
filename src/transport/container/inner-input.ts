/**
 * Types into a program in a container past its engine: straight into its terminal, or into the pipe that is its stdin.
 * What passes through the engine cannot be counted, no key overtakes it, and some keys are the engine's own.
 */
import { closeSync, constants, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { openFile, terminalPath } from "../../linux/files/open-file.ts";
import { libc } from "../../linux/libc.ts";
import { readProcess } from "../../linux/processes/processes.ts";
import { takeDescriptor } from "../../linux/take-descriptor.ts";
import { resizePty } from "../../pty/open-pty.ts";
import { readForegroundGroup, takesInput } from "../../pty/terminal-mode.ts";
import { type UnreadInput, unreadInPipe } from "../../pty/typed-input.ts";
import { FdWriter } from "../local/fd-writer.ts";
import { descriptorsOf, masterOf } from "./inner-ends.ts";

/** The program may run before the engine's process has become its parent. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 5;
/** What a terminal takes at least if it takes anything. */
const PIECE_BYTES = 256;
const NOTHING: UnreadInput = { bytes: 0, isExact: true };

interface Search {
  /** On this machine. */
  readonly pid: number;
  readonly tty: boolean;
  /** Resolves when the program has ended. */
  readonly over: Promise<unknown>;
}

export class InnerInput {
  readonly writer: FdWriter;
  readonly isTerminal: boolean;
  readonly #fd: number;
  #isOpen = true;

  /** Closes `fd` at the end. */
  constructor(fd: number, isTerminal: boolean) {
    this.#fd = fd;
    this.isTerminal = isTerminal;
    // Typing into one's own program does not hold up its output, which is read from another descriptor.
    const note = () => undefined;
    this.writer = new FdWriter(fd, isTerminal ? { write: writePiece, note } : { note });
  }

  resize(size: TerminalSize): void {
    if (this.#isOpen && this.isTerminal) resizePty(this.#fd, size);
  }

  /** What a pipe holds. */
  unreadInPipe(): UnreadInput {
    return this.#isOpen ? unreadInPipe(this.#fd) : NOTHING;
  }

  /** Ending twice is fine. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.writer.end();
    closeSync(this.#fd);
  }
}

/** Undefined if the kernel does not let this process have it: then everything is typed through the engine. */
export async function takeInnerInput({ pid, tty, over }: Search): Promise<InnerInput | undefined> {
  const giveUpMs = performance.now() + PATIENCE_MS;
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  for (;;) {
    const fd = tty ? takeMaster(pid) : openPipeOf(pid);
    if (typeof fd === "number") return new InnerInput(fd, tty);
    if (fd === "refused" || isOver || performance.now() > giveUpMs) return undefined;
    await Promise.race([sleep(PAUSE_MS), over]);
  }
}

/** A copy of the master that the engine's process has. It shares its flags, so it may block. */
function takeMaster(pid: number): number | "refused" | "not yet" {
  const entry = readProcess(pid);
  const path = entry && terminalPath(entry.terminal);
  if (!entry || path === undefined) return "refused";
  const fd = masterOf(entry.parent, path);
  if (fd === undefined) return descriptorsOf(entry.parent) ? "not yet" : "refused";
  const copy = takeDescriptor(entry.parent, fd);
  if (copy === undefined) return "refused";
  // Terminals of different containers have the same numbers, but not the same foreground.
  if (readForegroundGroup(copy) === readProcess(pid)?.foregroundGroup) return copy;
  closeSync(copy);
  return "not yet";
}

/** The pipe from the engine's process to the program: a program may have opened another one as its stdin. */
function openPipeOf(pid: number): number | "refused" | "not yet" {
  const parent = readProcess(pid)?.parent ?? 0;
  const pipe = openFile(`/proc/${pid}/fd/0`);
  if (!pipe?.startsWith("pipe:")) return "refused";
  const all = descriptorsOf(parent);
  if (!all) return "refused";
  const fd = all.find((each) => openFile(`/proc/${parent}/fd/${each}`) === pipe);
  if (fd === undefined) return "not yet";
  try {
    // Opened again, it has flags of its own.
    return openSync(`/proc/${parent}/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return "refused";
  }
}

/** Never blocks, although the descriptor may: nobody else types into this terminal. */
function writePiece(fd: number, bytes: Uint8Array): number {
  return takesInput(fd) ? libc.write(fd, bytes, Math.min(bytes.length, PIECE_BYTES)) : 0;
}
