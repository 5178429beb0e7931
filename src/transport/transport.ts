/**
 * A way to start a program in a terminal: on this machine, or in a script for tests; later over SSH or in a container.
 *
 * Every transport guarantees, and `test/contract` checks:
 * - Output arrives in order and complete through `onOutput`. Everything written before the exit arrives before
 *   `exited`.
 * - `exited` and `outputEnded` are separate events: a grandchild may hold the terminal and keep writing.
 * - After `close`, no process that the program started is left, and no more output arrives.
 */
import type { Exit } from "../base/exit.ts";
import type { EnforcedLimits, LimitName, SessionLimits } from "../base/session-limits.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { EndReport, FirstSignal } from "../linux/processes/kill-process-tree.ts";
import type { ProcessMark } from "../linux/processes/process-mark.ts";
import type { ProgramTrace } from "../linux/processes/process-tree.ts";
import type { Probe } from "./probe.ts";

/** Where output came from: a terminal has one stream, pipes have two. */
export type Origin = "terminal" | "stdout" | "stderr";

/** `bytes` is valid only during the call, because the buffer is reused. */
export type OnOutput = (bytes: Uint8Array, origin: Origin) => void;

/** What a transport has to start. Every option is set: the session applies the defaults. */
export interface ChannelOptions {
  /** A name to look up in the PATH of `env`, or a path. */
  readonly program: string;
  /** Without the name of the program itself. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Ignored if `tty` is false. */
  readonly size: TerminalSize;
  /** False: pipes, with separate stdout and stderr, and an open stdin. */
  readonly tty: boolean;
  /** How much the program and all that it starts may use. Default: no limits. */
  readonly limits?: SessionLimits | undefined;
  /** Called in the order of the output, from the start on, possibly before `open` resolves. */
  readonly onOutput: OnOutput;
}

/** A way to start a program in a terminal. */
export interface Transport {
  /** Rejects with a `LimpetError` if the program cannot be started; then nothing is left behind. */
  open(options: ChannelOptions): Promise<Channel>;
}

/**
 * Who receives a signal: the group that receives the terminal's keys, the program alone, all processes it started,
 * those it started since a mark, or those that wait for the terminal's input besides the foreground program.
 */
export type SignalTarget = "foreground" | "program" | "tree" | "rivals" | { readonly since: ProcessMark };

/**
 * Directories in which this process creates files for the program, where the program cannot use the usual temporary
 * directory. In a sandbox the program cannot create, rename or remove anything in them, so no path in them leads
 * elsewhere.
 */
export interface FileRoots {
  /** The program can read files in it. */
  readonly readable: string;
  /** The program can also write to files in it. */
  readonly writable: string;
  /** What the program calls both, if it sees them under another path. */
  readonly seenAs?: string;
  /** The user of the program, if that is another one. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** How a session is frozen. */
export type FrozenBy = "cgroup" | "signals";

/** What a session uses. */
export interface Usage {
  readonly processes: number;
  /** Memory that nothing else shares. */
  readonly memoryBytes: number;
  /** Of all processes so far. */
  readonly cpuMs: number;
}

/** One open connection to a program: its bytes and its lifetime. */
export interface Channel {
  /** Null if the program has no pid on this machine. */
  readonly pid: number | null;
  /** Identifies the program after the end of this process; undefined if that is not possible. */
  readonly trace?: ProgramTrace | undefined;
  /** Answers questions about the program; undefined if the transport cannot ask. */
  readonly probe?: Probe | undefined;
  /** Undefined: the program can use files in the usual temporary directory. */
  readonly fileRoots?: FileRoots | undefined;
  /** Resolves once, when the program has ended and all its output was delivered. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Resolves once, when no output can follow. Never rejects. */
  readonly outputEnded: Promise<void>;
  /**
   * Delivers `bytes` in order and resolves with the number of bytes the terminal accepted: fewer than passed only if
   * the channel ended or `stopWrite` was called in the meantime. `onTaken` is called with
   * each number of bytes as they are accepted. One write at a time.
   */
  write(bytes: Uint8Array, onTaken?: (count: number) => void): Promise<number>;
  /** Ends the current write, which resolves with the number of bytes accepted so far. */
  stopWrite(): void;
  /** Closes a piped stdin. A terminal has nothing to close (type Ctrl+D there). */
  endInput(): void;
  /** Does nothing without a terminal, or when it is closed. */
  resize(size: TerminalSize): void;
  /** Resolves with false if no process was left to receive it. */
  signal(name: NodeJS.Signals, target: SignalTarget): Promise<boolean>;
  /** The limits of the program, and who enforces each; undefined without limits. */
  readonly limits?: EnforcedLimits | undefined;
  /** Limits that programs ran into without being ended. */
  limitHits?(): readonly LimitName[];
  /** What the program and all that it started use now; undefined if the transport cannot know. */
  readonly usage?: (() => Promise<Usage>) | undefined;
  /**
   * Stops everything that the program started until `thaw`. `cgroup`: the kernel stops whatever is in the group.
   * `signals`: each process got SIGSTOP. Undefined if the transport cannot stop it.
   */
  readonly freeze?: (() => Promise<FrozenBy>) | undefined;
  readonly thaw?: (() => Promise<void>) | undefined;
  /** Stops and resumes the delivery of output. While stopped, the program blocks when it writes. */
  pause(): void;
  resume(): void;
  /**
   * Ends every process that the program started and releases all resources of the channel: with `firstSignal` (default
   * SIGHUP), then the other of the two, and SIGKILL at the end of the grace time. Further calls return the same report.
   */
  close(options: { readonly graceMs: number; readonly firstSignal?: FirstSignal | undefined }): Promise<EndReport>;
}
