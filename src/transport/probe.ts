/**
 * What can be asked about a running program beyond its bytes: on Linux the kernel answers all of it.
 *
 * A transport that cannot ask has no probe. A session on such a transport reports its input state as `unknown`, and its waits
 * fall back to silence.
 */
import type { ListeningPort } from "../linux/list-listening.ts";
import type { ProcessMark } from "../linux/process-mark.ts";
import type { TerminalObservation } from "../probe/observe-terminal.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { UnseenOptions } from "../pty/unseen-typing.ts";

/** Answers questions about one program. Every answer is about the moment of the call. */
export interface Probe {
  /** Undefined without a terminal, or when it is gone. */
  terminalMode(): TerminalMode | undefined;
  /**
   * Who waits for input. When this returns, `onOutput` has delivered all that the program wrote before it began to wait.
   * Undefined without a terminal, or when it is gone.
   */
  observe(): TerminalObservation | undefined;
  /** The terminal holds input that nobody has read yet: a whole line in line mode, any key otherwise. */
  hasUnreadInput(): boolean;
  /** Ctrl+Z or a signal has stopped the program. */
  isStopped(): boolean;
  /** On which TCP ports the program and all that it started listen. */
  listening(): Promise<readonly ListeningPort[]>;
  /** The program and all that it started, as far as they are alive. After the program's exit: what it left running. */
  running(): Promise<readonly RunningProcess[]>;
  /** Which processes exist now, for a signal to those that start later. */
  markProcesses(): ProcessMark;
  /** A process that does not descend from the program has the terminal open, as a daemon does. */
  hasDetached(): boolean;
  /** The program itself is in the foreground, and nothing that it started. */
  isProgramInForeground(): boolean;
  /**
   * Types whole lines, at most 4,095 bytes, in this turn. The terminal neither echoes them nor takes a byte of them as a key,
   * whatever mode it is in, and it has that mode back afterwards. No bytes at all are an end of input. False when the terminal did
   * not take all of it, or when there is no terminal.
   */
  typeUnseen(lines: Uint8Array, options?: UnseenOptions): boolean;
}

/** A process that belongs to a program. */
export interface RunningProcess {
  readonly pid: number;
  /** As the kernel has it: at most 15 characters. */
  readonly name: string;
}
