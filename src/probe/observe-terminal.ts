/**
 * Observes a terminal and who waits for its input, as of one instant.
 *
 * Right after a write the program is still blocked in the same read, because it has not run yet. So it counts as
 * waiting only if no typed input is unread, and if its thread neither ran nor was woken from before that check until
 * after it. Then it was blocked without input the whole time. Ctrl+C and Ctrl+Z leave no unread input, but they wake
 * the thread.
 */
import { hasUnreadInput, readForegroundGroup, readTerminalMode, type TerminalMode } from "../pty/terminal-mode.ts";
import { findReader, hasMoved, type ReaderVerdict } from "./find-reader.ts";

export interface Terminal {
  readonly program: number;
  readonly master: number;
  readonly slave: number;
  readonly path: string;
}

/** What the kernel shows about who waits for input, at one instant: nothing changed during the observation. */
export interface TerminalObservation {
  readonly mode: TerminalMode | undefined;
  readonly reader: ReaderVerdict;
  /** The program has not read all typed input yet. */
  readonly hasUnreadInput: boolean;
}

export function observeTerminal({ program, master, slave, path }: Terminal): TerminalObservation {
  const foregroundGroup = readForegroundGroup(master);
  const reader = foregroundGroup === undefined ? "none" : findReader({ program, foregroundGroup, path });
  // Changes of the reader are detected from here on, so everything that it could change is read afterwards.
  const mode = readTerminalMode(master);
  const isUnread = hasUnreadInput(slave);
  if (typeof reader === "string") return { mode, reader, hasUnreadInput: isUnread };
  return { mode, reader: hasMoved(reader) ? "none" : reader, hasUnreadInput: isUnread };
}
