/**
 * Observes a terminal and who waits for its input, as of one instant.
 *
 * Right after a write the program is still blocked in the same read, because it has not run yet. So it counts as
 * waiting only if no typed input is unread, and if its thread neither ran nor was woken from before that check until
 * after it. Then it was blocked without input the whole time. Ctrl+C and Ctrl+Z leave no unread input, but they wake
 * the thread.
 */
import {
  hasUnreadInput,
  readForegroundGroup,
  readsInSteps,
  readTerminalMode,
  readTerminalSize,
  type TerminalMode,
} from "../pty/terminal-mode.ts";
import { withTerminalAt } from "../pty/with-terminal-at.ts";
import { type FoundReader, findReader, hasMoved, type ReaderVerdict } from "./readers/find-reader.ts";
import type { ReadersElsewhere } from "./readers/readers-elsewhere.ts";

export interface Terminal {
  readonly program: number;
  readonly master: number;
  readonly slave: number;
  readonly path: string;
  readonly elsewhere: ReadersElsewhere;
}

/** What the kernel shows about who waits for input, at one instant: nothing changed during the observation. */
export interface TerminalObservation {
  /** The mode of the terminal that the reader reads: behind a relay, that of the inner one if it can be read. */
  readonly mode: TerminalMode | undefined;
  readonly reader: ReaderVerdict;
  /** The program has not read all typed input yet. */
  readonly hasUnreadInput: boolean;
  /** A read can return without a key (VMIN is 0), so the program polls for keys while it works. */
  readonly readsInSteps?: boolean;
  /** Output from before the program started to wait is still in transit, for example in a container engine. */
  readonly isArriving?: boolean;
}

export function observeTerminal({ program, master, slave, path, elsewhere }: Terminal): TerminalObservation {
  const [foregroundGroup, size] = [readForegroundGroup(master), readTerminalSize(master)];
  const reader = findReader({ program, foregroundGroup, path, size, strangers: elsewhere.strangers }, elsewhere);
  // Changes of the reader are detected from here on, so everything that it could change is read afterwards.
  const outer = {
    mode: readTerminalMode(master),
    hasUnreadInput: hasUnreadInput(slave),
    readsInSteps: readsInSteps(master),
  };
  if (typeof reader === "string") return { ...outer, reader };
  const seen = reader.innerPath === undefined ? outer : observeInner(reader, outer);
  return { ...seen, reader: hasMoved(reader) ? "none" : reader };
}

type Modes = Omit<TerminalObservation, "reader">;

/** Typed input may be in either terminal. */
function observeInner({ pid, thread, innerPath = "" }: FoundReader, outer: Modes): Modes {
  // If the main thread has ended, the files are visible only through another thread.
  const inner = withTerminalAt(`/proc/${pid}/task/${thread}/root${innerPath}`, (file) => ({
    mode: readTerminalMode(file),
    hasUnreadInput: hasUnreadInput(file),
    readsInSteps: readsInSteps(file),
  }));
  return inner ? { ...inner, hasUnreadInput: inner.hasUnreadInput || outer.hasUnreadInput } : outer;
}
