/**
 * What can be asked about a running program beyond its bytes. On Linux the kernel answers all of it.
 *
 * A transport that cannot ask has no probe. A session on such a transport reports its input state as `unknown`, and its
 * waits fall back to silence.
 */
import type { ListeningPort } from "../linux/files/list-listening.ts";
import type { ProcessMark } from "../linux/processes/process-mark.ts";
import type { Activity } from "../linux/processes/read-activity.ts";
import type { TerminalObservation } from "../probe/observe-terminal.ts";
import type { Rival } from "../probe/readers/find-rivals.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { UnreadInput } from "../pty/typed-input.ts";

/** Answers questions about one program. Every answer is about the moment of the call. */
export interface Probe {
  /** Undefined without a terminal, or when it is closed. */
  terminalMode(): TerminalMode | undefined;
  /**
   * Who waits for input. Before this returns, `onOutput` has delivered everything the program wrote before it started
   * to wait, or the observation says that it is arriving. Undefined without a terminal, or when it is closed.
   */
  observe(): TerminalObservation | undefined;
  /**
   * Searches for processes that read the terminal without being descendants of the program, and for the program behind
   * a container client. From then on `observe` includes them. Looks at every process of the machine, unless the last
   * search is younger than `maxAgeMs`, by default a quarter of a second.
   */
  searchReaders(options?: { readonly maxAgeMs?: number }): Promise<void>;
  /**
   * Processes that have the terminal open and are not controlled by it, of those that `searchReaders` has found. What
   * is typed may go to those that read.
   */
  rivals(): readonly Rival[];
  /** How much a process of the program and its children have worked so far. */
  activityOf(pid: number): Activity;
  /** The terminal holds unread input: a whole line in line mode, any key otherwise. */
  hasUnreadInput(): boolean;
  /** Input that the program has not read: whole lines in line mode, any bytes otherwise. Also on pipes. */
  unreadInput(): UnreadInput;
  /** Discards all input in the terminal that the program has not read. Does nothing on pipes. */
  discardUnread(): void;
  /**
   * The bytes that interrupt, quit or suspend the foreground program and discard what it has not read: Ctrl+C, Ctrl+\
   * and Ctrl+Z, unless the program has changed them. None without a terminal, or while they are plain bytes.
   */
  signalKeys(): readonly number[];
  /** The program was stopped by Ctrl+Z or a signal. */
  isStopped(): boolean;
  /** The TCP ports that the program and its descendants listen on. */
  listening(): Promise<readonly ListeningPort[]>;
  /** The program and all processes it started that are alive. After the program's exit: what it left running. */
  running(): Promise<readonly RunningProcess[]>;
  /** Marks the processes that exist now, so that a signal can be sent to those that start later. */
  markProcesses(): ProcessMark;
  /** A process that does not descend from the program, such as a daemon, has the terminal open. */
  hasDetached(): boolean;
  /** The program itself is in the foreground, and none of its descendants. */
  isProgramInForeground(): boolean;
  /** The program that has the terminal, if that is not the program itself but one that it has started. */
  foreground(): RunningProcess | undefined;
  /** The process group that receives the terminal's keys; undefined without a terminal, or when it is closed. */
  foregroundGroup(): number | undefined;
  /** At least one process of this group exists. */
  isGroupAlive(group: number): boolean;
  /**
   * A number that grows when a program ends that this process has started and waited for. Undefined unless the process
   * is a shell that reads its commands from the terminal.
   */
  countEndedJobs(pid: number): number | undefined;
  /**
   * Synchronously types one line, at most 4,095 bytes. In any mode, the terminal neither echoes it nor treats a byte as
   * a special key; afterwards it has its previous mode. Unread input is discarded. An empty line sends end-of-file.
   * Returns false if the terminal did not accept everything, or if there is no terminal.
   */
  typeUnseen(line: Uint8Array): boolean;
  /** Turns echo off until `showTyping`. Does nothing without a terminal. */
  hideTyping(): void;
  /** Restores the echo as it was before `hideTyping`. */
  showTyping(): void;
  /**
   * Returns typed input that no process has read, with a line that is not complete yet, and leaves it there. Only while
   * no program reads the terminal.
   */
  peekInput(): Buffer;
  /**
   * Delivers all output that the kernel holds, through `onOutput`, unless the delivery is paused. False if output that
   * the program has printed is still on its way through a container engine: call it again a little later.
   */
  drain(): boolean;
  /** The path that the program itself is blocked in opening, such as that of a named pipe. */
  openingFile(): string | undefined;
  /** Frees a lock that the program waits for although only the program itself can unlock it. False if it does not. */
  freeOwnLock(): boolean;
}

/** A process that belongs to a program. */
export interface RunningProcess {
  readonly pid: number;
  /** The kernel's name for the program, at most 15 characters. */
  readonly name: string;
}
