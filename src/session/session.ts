/** One program that is kept alive between calls: its output, input and end. */
import type { Exit } from "../base/exit.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { LimitState, SessionLimits } from "../base/session-limits.ts";
import { DEFAULT_MODES, type TerminalModes } from "../base/terminal-modes.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { EndReport } from "../linux/processes/kill-process-tree.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { RunningProcess } from "../transport/probe.ts";
import type { FrozenBy, SignalTarget } from "../transport/transport.ts";
import type { OnTyped } from "./input/session-input.ts";
import type { CloseOptions, CloseReason, Phase } from "./lifetime.ts";
import { ReadableOutput } from "./read/readable-output.ts";
import type { SessionOwner } from "./registry/resolve-session.ts";
import { bindInternals, type SessionInternals } from "./session-internals.ts";
import type { SessionFacts, SessionProgram } from "./session-program.ts";
import { readStatus, readWaitingFor, type SessionStatus } from "./session-status.ts";
import type { WaitResult } from "./wait/decide-wait.ts";
import type { WaitOptions } from "./wait/wait-for.ts";
import { waitFromPosition } from "./wait/wait-on.ts";

/**
 * One program in one terminal, kept alive between calls. Created by `openSession` or a registry.
 *
 * Its output stays readable after the program has ended, until the session is discarded or no longer referenced.
 */
export class Session extends ReadableOutput implements SessionProgram {
  readonly id: number;
  readonly owner: SessionOwner | undefined;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly sandbox: SandboxRequest | undefined;
  /** How much its programs may use; undefined without limits. */
  readonly limits: SessionLimits | undefined;
  /** The variables that were given the value of a secret, and the names of the secrets. */
  readonly secretEnv: Readonly<Record<string, string>> | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The process that started the session ended before its program, so how the program ended is unknown. */
  readonly isLost: boolean;
  readonly #internals: SessionInternals;
  #name: string | undefined;

  /** @internal */
  constructor(facts: SessionFacts, internals: SessionInternals) {
    super(internals.store);
    this.id = facts.id;
    this.#name = facts.name;
    this.owner = facts.owner;
    this.program = facts.program;
    this.args = facts.args;
    this.cwd = facts.cwd;
    this.tty = facts.tty;
    this.sandbox = facts.sandbox;
    this.limits = facts.limits;
    this.secretEnv = facts.secretEnv;
    this.startedAt = facts.startedAt;
    this.isLost = facts.isLost;
    this.#internals = internals;
    bindInternals(this, internals);
  }

  get name(): string | undefined {
    return this.#name;
  }

  /** @internal Call `SessionRegistry.rename`, which checks the name. */
  rename(name: string): void {
    this.#internals.lifetime.requireAlive("rename");
    this.#name = name;
    this.#internals.onRenamed();
  }

  /** Null if the program has no pid on this machine. */
  get pid(): number | null {
    return this.#internals.channel.pid;
  }

  /** The phase of the session. Only `ended` is final. */
  get phase(): Phase {
    return this.#internals.lifetime.phase;
  }

  /** How the program ended; undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#internals.lifetime.exit;
  }

  /** Resolves when the program has ended; by then all its output is in the journal. Never rejects. */
  get exited(): Promise<Exit> {
    return this.#internals.lifetime.exited;
  }

  /**
   * Resolves when the program has ended and no process can write more output, which may be much later. Never rejects.
   */
  get ended(): Promise<Exit> {
    return this.#internals.channel.outputEnded.then(() => this.exited);
  }

  /** Why limpet closed the session; undefined if it did not. */
  get closeReason(): CloseReason | undefined {
    return this.#internals.lifetime.closeReason;
  }

  /** Who enforces its limits, and which of them were reached. Undefined without limits. */
  get limitState(): LimitState | undefined {
    return this.limits && this.#internals.lifetime.limitState;
  }

  /** How the session is frozen: by its control group, or with SIGSTOP. Undefined if it is not. */
  get frozen(): FrozenBy | undefined {
    return this.#internals.lifetime.frozen;
  }

  /** The size of the terminal, as last set by limpet. */
  get size(): TerminalSize {
    return this.#internals.size;
  }

  /**
   * Calls `listener` with all input that the terminal accepts and echoes, so never with a password. Returns a function
   * that stops it.
   */
  onTyped(listener: OnTyped): () => void {
    return this.#internals.input.onTyped(listener);
  }

  /** Input bytes that the terminal has not accepted yet. */
  get queuedInputBytes(): number {
    return this.#internals.input.queuedBytes;
  }

  /**
   * Input bytes that the program has not read yet, whether or not the terminal has accepted them. Exact unless the
   * program started to read a full terminal. Once the program has ended: bytes that it never got.
   */
  get unreadInputBytes(): number {
    return this.#internals.input.unreadBytes;
  }

  /** How the terminal treats input now, whether or not the program reads. Undefined without a terminal or a probe. */
  get terminalMode(): TerminalMode | undefined {
    return this.#internals.channel.probe?.terminalMode();
  }

  /** What the program asked of its terminal that changes how keys, pastes and mouse events must be sent to it. */
  get keyModes(): TerminalModes {
    return this.tty ? this.#internals.modeTracker.keyModes : DEFAULT_MODES;
  }

  /**
   * Waits until something happens and says what: the program ended, `until` matched, the program waits for input, a
   * process listens on a port, the program was quiet, or the deadline passed. Any number of callers may wait at once.
   */
  wait(options: WaitOptions = {}): Promise<WaitResult> {
    return waitFromPosition(this, options);
  }

  /** What the program waits for now; null: nothing. */
  waitingFor(): Promise<SessionStatus["waitingFor"]> {
    return readWaitingFor(this.#internals);
  }

  /**
   * The processes that the program left running when it ended; empty while it runs, and on a transport without a probe.
   */
  leftovers(): Promise<readonly RunningProcess[]> {
    return this.#internals.lifetime.leftovers();
  }

  /** What the session is doing now, and the fact that shows it. */
  status(): Promise<SessionStatus> {
    return readStatus(this.#internals);
  }

  /**
   * Types text, or sends bytes unchanged. Resolves when the terminal has accepted all of it; the program may read it
   * later. Writes are delivered in the order of the calls. At most 1 MiB may be queued, and a failed write reports how
   * many bytes were not delivered.
   */
  write(input: string | Uint8Array): Promise<void> {
    return this.#internals.input.write(input);
  }

  /** Closes a piped stdin after everything that was written before. In a terminal, write "\x04" (Ctrl+D) instead. */
  endInput(): void {
    this.#internals.input.endInput();
  }

  /** Changes the size of the terminal; the program receives SIGWINCH. Rejects without a terminal. */
  resize(size: TerminalSize): void {
    this.#internals.resize(size);
  }

  /**
   * Sends a signal, by default to the foreground group, as the terminal's keys do. Rejects with `SESSION_ENDED` if no
   * process is left.
   */
  signal(name: NodeJS.Signals, { to = "foreground" }: { readonly to?: SignalTarget } = {}): Promise<void> {
    return this.#internals.lifetime.signal(name, to);
  }

  /**
   * Ends every process that the session started, and reports them: SIGHUP, SIGTERM, then SIGKILL after the grace
   * period. Its output stays readable. A second call resolves with the same report, and can shorten the grace period.
   */
  close(options: CloseOptions = {}): Promise<EndReport> {
    return this.#internals.lifetime.close(options);
  }

  /** Closes the session and deletes its files. */
  async discard(options: CloseOptions = {}): Promise<EndReport> {
    const report = await this.close(options);
    await this.#internals.store.discard();
    return report;
  }

  /** Like `discard`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.discard();
  }
}
