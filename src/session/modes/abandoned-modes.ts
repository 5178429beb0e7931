/**
 * Detects that the program that has set modes of the terminal has ended without resetting them, because it was killed.
 * Otherwise the next program would print on the alternate screen, and would get keys in a form that it does not expect.
 *
 * The kernel does not show who printed a sequence, so limpet assumes that it was the foreground group at that time. If
 * that is already a shell again, although a program that it had started has ended since the last line was typed, that
 * program has printed it.
 *
 * A program's last output is often read after its end. So limpet also uses the output itself: a chunk that leaves the
 * alternate screen still comes from the program that entered it.
 */
import type { Probe } from "../../transport/probe.ts";
import { LEAVE_ALTERNATE_SCREEN } from "./reset-sequences.ts";
import type { TerminalModeTracker } from "./terminal-mode-tracker.ts";

type GroupProbe = Pick<Probe, "foregroundGroup" | "isGroupAlive" | "countEndedJobs">;

/** How many programs of a shell had ended when it received its last line. */
interface ShellMark {
  /** The pid of the shell, which leads its own process group. */
  readonly shell: number;
  readonly endedJobs: number;
}

const LINE_ENDS: readonly number[] = [0x0a, 0x0d];
const LEAVES_ALTERNATE_SCREEN: readonly string[] = [LEAVE_ALTERNATE_SCREEN, "\x1b[?1047l", "\x1b[?47l"];

export class AbandonedModes {
  readonly #tracker: Pick<TerminalModeTracker, "isChanged" | "isAlternateScreen">;
  /** The foreground group when the modes were set. Undefined while none is set. */
  #owner: number | undefined;
  #wasAlternate = false;
  #shellMark: ShellMark | undefined;

  constructor(tracker: Pick<TerminalModeTracker, "isChanged" | "isAlternateScreen">) {
    this.#tracker = tracker;
  }

  /** Call before a shell receives a line that does not pass through `beforeInput`. */
  beforeLine(mark: ShellMark): void {
    this.#shellMark = mark;
  }

  /** Call before input is typed. */
  beforeInput(probe: GroupProbe | undefined, bytes: Uint8Array): void {
    if (this.#wasAlternate || !LINE_ENDS.some((end) => bytes.includes(end))) return;
    const shell = probe?.foregroundGroup();
    const endedJobs = shell === undefined ? undefined : probe?.countEndedJobs(shell);
    if (shell !== undefined && endedJobs !== undefined) this.#shellMark = { shell, endedJobs };
  }

  /** Call before output is tracked. True if the modes must be reset first. */
  beforeOutput(probe: GroupProbe | undefined, bytes: Uint8Array): boolean {
    if (this.#owner === undefined || !probe) return false;
    const now = probe.foregroundGroup();
    // Without a foreground group the session's first program has ended: this is the rest of its output, and no shell
    // comes after it.
    if (now === undefined || now === this.#owner || probe.isGroupAlive(this.#owner)) return false;
    return !(this.#wasAlternate && leavesAlternateScreen(bytes));
  }

  /** Call after output was tracked. True if the modes must be reset now. */
  afterOutput(probe: GroupProbe | undefined): boolean {
    const { isChanged, isAlternateScreen } = this.#tracker;
    const hasEntered = isAlternateScreen && !this.#wasAlternate;
    const hasLeft = this.#wasAlternate && !isAlternateScreen;
    this.#wasAlternate = isAlternateScreen;
    if (!isChanged || !probe) {
      this.#owner = undefined;
      return false;
    }
    // A shell may have set modes for its own line before, or behind the screen that its program has left.
    if (hasEntered || hasLeft || this.#owner === undefined) this.#owner = probe.foregroundGroup();
    return hasEntered && this.#isBackInShell(probe);
  }

  /** The shell that got the last line is in the foreground again, after a program of its own. */
  #isBackInShell(probe: GroupProbe): boolean {
    const mark = this.#shellMark;
    if (!mark || probe.foregroundGroup() !== mark.shell) return false;
    return (probe.countEndedJobs(mark.shell) ?? 0) > mark.endedJobs;
  }
}

function leavesAlternateScreen(bytes: Uint8Array): boolean {
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return LEAVES_ALTERNATE_SCREEN.some((sequence) => chunk.includes(sequence, 0, "latin1"));
}
