/**
 * A way to start a program in a terminal: on this machine, in a script for tests, later over SSH or in a container.
 *
 * What every transport promises, and `test/contract` checks:
 * - output arrives in order, whole, through `onOutput`, and all that was written before the exit arrives before `exited`;
 * - `exited` and `outputEnded` are two events: a grandchild may keep the terminal and go on writing;
 * - after `close` nothing that the program started is left, and nothing more arrives.
 */
import type { Exit } from "../base/exit.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { EndReport } from "../linux/end-tree.ts";
import type { ListeningPort } from "../linux/list-listening.ts";
import type { ProcessMark } from "../linux/process-mark.ts";
import type { ProgramTrace } from "../linux/process-tree.ts";
import type { TerminalObservation } from "../probe/observe-terminal.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { UnseenOptions } from "../pty/unseen-typing.ts";

/** Where output came from: a terminal has one stream, pipes have two. */
export type Origin = "terminal" | "stdout" | "stderr";

/** `bytes` is valid during the call only: the buffer is used again. */
export type OnOutput = (bytes: Uint8Array, origin: Origin) => void;

/** What a transport is asked to start. Nothing is left out: the defaults are the session's. */
export interface ChannelOptions {
  /** A name, to be looked up in the PATH of `env`, or a path. */
  readonly program: string;
  /** Without the program's own name. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Means nothing where `tty` is false. */
  readonly size: TerminalSize;
  /** False: plain pipes, with stdout and stderr apart and stdin open. */
  readonly tty: boolean;
  /** Called in the order of the output, from the start on, also before `open` has resolved. */
  readonly onOutput: OnOutput;
}

/** A way to start a program in a terminal. */
export interface Transport {
  /** Rejects with a `LimpetError` when the program cannot be started; then nothing is left of it. */
  open(options: ChannelOptions): Promise<Channel>;
}

/**
 * To whom a signal goes: the group that the terminal's keys go to, the program alone, all that it started, or what it has
 * started since a mark was taken.
 */
export type SignalTarget = "foreground" | "program" | "tree" | { readonly since: ProcessMark };

/** One open connection to a program. */
export interface Channel {
  /** Null where the program has no pid on this machine. */
  readonly pid: number | null;
  /** By what the program can be found again after the end of this process; undefined where it cannot. */
  readonly trace?: ProgramTrace | undefined;
  /** Resolves once, when the program has ended and all that it had written was delivered. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Resolves once, when no output can follow. Never rejects. */
  readonly outputEnded: Promise<void>;
  /**
   * Delivers `bytes` in order and resolves with how many of them the terminal took: fewer than given only when the
   * channel has ended meanwhile. One write at a time.
   */
  write(bytes: Uint8Array): Promise<number>;
  /** Closes a piped stdin; in a terminal there is nothing to close (type Ctrl+D there). */
  endInput(): void;
  /** Undefined without a terminal, or when it is gone. */
  terminalMode(): TerminalMode | undefined;
  /**
   * Types whole lines, 4,095 bytes at most, in this turn: they are not echoed and no byte of them is taken as a key, whatever
   * mode the terminal is in, and that mode is back afterwards. No bytes at all are an end of input. False when the terminal did not take all of it, or when there
   * is none.
   */
  typeUnseen(lines: Uint8Array, options?: UnseenOptions): boolean;
  /** Something was typed that nobody has read yet: a whole line in line mode, any key otherwise. */
  hasUnreadInput(): boolean;
  /**
   * Who waits for input. All that the program wrote before that has been delivered through `onOutput` when this returns.
   * Undefined without a terminal, or where this cannot be told.
   */
  lookForInput(): TerminalObservation | undefined;
  /** The program was stopped, by Ctrl+Z or a signal, and does not run. */
  isStopped(): boolean;
  /** On which TCP ports the program and all that it started listen. */
  listening(): Promise<readonly ListeningPort[]>;
  /** Does nothing without a terminal, or when it is gone. */
  resize(size: TerminalSize): void;
  /** Which processes are there now, for a signal to those that come later. */
  markProcesses(): ProcessMark;
  /** Somebody has the terminal open who does not descend from the program, as a daemon does. False where that cannot be told. */
  hasDetached(): boolean;
  /** The program itself is in the foreground, and nothing that it started. */
  isProgramInForeground(): boolean;
  /** False when there was nobody to signal. */
  signal(name: NodeJS.Signals, target: SignalTarget): Promise<boolean>;
  /** Stops and resumes the delivery of output; meanwhile the program is held up when it writes. */
  pause(): void;
  resume(): void;
  /** Ends all that the program started and gives back all that the channel holds. Calling it again gives the same report. */
  close(options: { readonly graceMs: number }): Promise<EndReport>;
  /** What the program has started and is alive; once it has ended, that is what it left running. */
  running(): Promise<readonly RunningProcess[]>;
}

/** One of those that a program has started. */
export interface RunningProcess {
  readonly pid: number;
  /** As the kernel has it: at most 15 characters. */
  readonly name: string;
}
