/**
 * Observes a terminal and who waits for its input, as of one instant.
 *
 * Right after a write the program is still blocked in the same read: it has not run yet. So it counts as waiting only if
 * nothing typed lies unread, and if its thread neither ran nor was woken from before that was asked until after. Then it
 * was blocked with nothing to read throughout, and that is waiting. Ctrl+C and Ctrl+Z leave nothing to read, but wake.
 */
import { hasUnreadInput, readForegroundGroup, readTerminalMode, type TerminalMode } from "../pty/terminal-mode.ts";
import { findReader, hasMoved, type ReaderVerdict } from "./find-reader.ts";

export interface Terminal {
  readonly program: number;
  readonly master: number;
  readonly slave: number;
  readonly path: string;
}

/** What the kernel shows of who waits for input, at one instant: nothing of it moved while it was observed. */
export interface TerminalObservation {
  readonly mode: TerminalMode | undefined;
  readonly reader: ReaderVerdict;
  /** Something was typed that the program has not read yet. */
  readonly hasUnreadInput: boolean;
}

export function observeTerminal({ program, master, slave, path }: Terminal): TerminalObservation {
  const foregroundGroup = readForegroundGroup(master);
  const reader = foregroundGroup === undefined ? "none" : findReader({ program, foregroundGroup, path });
  // Only from here on is it known whether the reader moves: what it may have changed is asked after.
  const mode = readTerminalMode(master);
  const isUnread = hasUnreadInput(slave);
  if (typeof reader === "string") return { mode, reader, hasUnreadInput: isUnread };
  return { mode, reader: hasMoved(reader) ? "none" : reader, hasUnreadInput: isUnread };
}
