/**
 * Types directly into a program in a container, without its engine: into its terminal, or into the pipe that is its
 * stdin. Input through the engine cannot be counted, no key can overtake it, and the engine uses some keys itself.
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

/** How long to wait for the engine's process to become the parent of the program. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 5;
/** A terminal that accepts input accepts at least this much. */
const PIECE_BYTES = 256;
const NOTHING: UnreadInput = { bytes: 0, isExact: true };

interface Search {
  /** The pid of the program on this machine. */
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
    // Typing is not noted: it would slow down the program's own output, which is read from another descriptor.
    const note = () => undefined;
    this.writer = new FdWriter(fd, isTerminal ? { write: writePiece, note } : { note });
  }

  resize(size: TerminalSize): void {
    if (this.#isOpen && this.isTerminal) resizePty(this.#fd, size);
  }

  /** The bytes that the pipe holds. */
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

/** Undefined if the kernel does not allow access. All input then goes through the engine. */
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

/** Copies the master from the engine's process. The copy shares its flags, so it may be blocking. */
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

/**
 * Opens the pipe from the engine's process to the program. The program may have another pipe as its stdin, which is
 * refused.
 */
function openPipeOf(pid: number): number | "refused" | "not yet" {
  const parent = readProcess(pid)?.parent ?? 0;
  const pipe = openFile(`/proc/${pid}/fd/0`);
  if (!pipe?.startsWith("pipe:")) return "refused";
  const all = descriptorsOf(parent);
  if (!all) return "refused";
  const fd = all.find((each) => openFile(`/proc/${parent}/fd/${each}`) === pipe);
  if (fd === undefined) return "not yet";
  try {
    // Opening it again gives a descriptor with its own flags.
    return openSync(`/proc/${parent}/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return "refused";
  }
}

/** Never blocks, although the descriptor may be blocking, because nobody else types into this terminal. */
function writePiece(fd: number, bytes: Uint8Array): number {
  return takesInput(fd) ? libc.write(fd, bytes, Math.min(bytes.length, PIECE_BYTES)) : 0;
}
