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
import type { EndReport } from "../linux/kill-process-tree.ts";
import type { ProcessMark } from "../linux/process-mark.ts";
import type { ProgramTrace } from "../linux/process-tree.ts";
import type { Probe } from "./probe.ts";

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
  /** Ignored where `tty` is false. */
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

/** One open connection to a program: its bytes and its lifetime. */
export interface Channel {
  /** Null where the program has no pid on this machine. */
  readonly pid: number | null;
  /** By what the program can be found again after the end of this process; undefined where it cannot. */
  readonly trace?: ProgramTrace | undefined;
  /** Answers questions about the program; undefined where nothing can be asked. */
  readonly probe?: Probe | undefined;
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
  /** Does nothing without a terminal, or when it is gone. */
  resize(size: TerminalSize): void;
  /** False when there was nobody to signal. */
  signal(name: NodeJS.Signals, target: SignalTarget): Promise<boolean>;
  /** Stops and resumes the delivery of output; meanwhile the program is held up when it writes. */
  pause(): void;
  resume(): void;
  /** Ends all that the program started and gives back all that the channel holds. Calling it again gives the same report. */
  close(options: { readonly graceMs: number }): Promise<EndReport>;
}
