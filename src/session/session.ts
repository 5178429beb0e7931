/** One program, kept alive between calls: its output, its input, its end. */
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import { DEFAULT_MODES, type TerminalModes } from "../base/terminal-modes.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { JournalHealth } from "../journal/disk-journal.ts";
import { followOutput, type OutputOptions } from "../journal/follow-output.ts";
import type { Span } from "../journal/origins.ts";
import type { ReadOptions } from "../journal/output-store.ts";
import { readText, type TextPage } from "../journal/read-text.ts";
import type { Timeline } from "../journal/timeline.ts";
import type { EndReport } from "../linux/kill-process-tree.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { GrepResult } from "../text/search/grep.ts";
import type { RunningProcess } from "../transport/probe.ts";
import type { SignalTarget } from "../transport/transport.ts";
import type { CloseOptions, CloseReason, Phase } from "./lifetime.ts";
import { OutputReader } from "./read/output-reader.ts";
import type { SearchOptions, SessionReading, TextOptions } from "./read/read-digest.ts";
import { readDigest, readHead, readTail } from "./read/read-digest.ts";
import { searchOutput } from "./read/search-output.ts";
import type { OnTyped } from "./session-input.ts";
import { bindInternals, type SessionInternals } from "./session-internals.ts";
import type { SessionFacts, SessionProgram } from "./session-program.ts";
import { readStatus, readWaitingFor, type SessionStatus } from "./session-status.ts";
import type { WaitResult } from "./wait/decide-wait.ts";
import type { WaitOptions } from "./wait/wait-for.ts";
import { waitFromPosition } from "./wait/wait-on.ts";

/**
 * One program in one terminal, kept alive between calls. Made by `openSession` or a registry.
 *
 * What it printed stays readable, also after its end, until the session is discarded or nobody holds it any more.
 */
export class Session implements SessionProgram {
  readonly id: number;
  readonly name: string | undefined;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The process that had started it was gone before its program was: how that ended, nobody knows. */
  readonly isLost: boolean;
  readonly #internals: SessionInternals;

  /** @internal */
  constructor(facts: SessionFacts, internals: SessionInternals) {
    this.id = facts.id;
    this.name = facts.name;
    this.program = facts.program;
    this.args = facts.args;
    this.cwd = facts.cwd;
    this.tty = facts.tty;
    this.startedAt = facts.startedAt;
    this.isLost = facts.isLost;
    this.#internals = internals;
    bindInternals(this, internals);
  }

  /** Null where the program has no pid on this machine. */
  get pid(): number | null {
    return this.#internals.channel.pid;
  }

  /** Where it is in its life; only `ended` is final. */
  get phase(): Phase {
    return this.#internals.lifetime.phase;
  }

  /** How the program ended; undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#internals.lifetime.exit;
  }

  /** Resolves when the program has ended; all that it wrote is in the journal by then. Never rejects. */
  get exited(): Promise<Exit> {
    return this.#internals.channel.exited;
  }

  /** Resolves when the program has ended and nothing can write any more, which may be long after. Never rejects. */
  get ended(): Promise<Exit> {
    return this.#internals.channel.outputEnded.then(() => this.#internals.channel.exited);
  }

  /** Why we ended it; undefined where we did not. */
  get closeReason(): CloseReason | undefined {
    return this.#internals.lifetime.closeReason;
  }

  /** Of the terminal, as last set by us. */
  get size(): TerminalSize {
    return this.#internals.size;
  }

  /** Where the next byte of output will stand: also how many there have been. */
  get endCursor(): Cursor {
    return this.#internals.store.end;
  }

  /** When output came and when the size changed, as far as that is kept. */
  get timeline(): Timeline {
    return this.#internals.store.timeline;
  }

  /** Calls `listener` with all input that the terminal takes and echoes: with no password. Returns how to stop it. */
  onTyped(listener: OnTyped): () => void {
    return this.#internals.input.onTyped(listener);
  }

  /** Milliseconds since the last output, or since the start. */
  get silentMs(): number {
    return performance.now() - this.#internals.store.lastMs;
  }

  /** Bytes typed that the terminal has not taken yet. */
  get queuedInputBytes(): number {
    return this.#internals.input.queuedBytes;
  }

  /** Whether all output also reaches the disk; undefined where none was asked for. */
  get journalHealth(): JournalHealth | undefined {
    return this.#internals.store.health;
  }

  /** How the terminal treats input now, whether or not the program waits. Undefined without a terminal or a probe. */
  get terminalMode(): TerminalMode | undefined {
    return this.#internals.channel.probe?.terminalMode();
  }

  /** What the program asked of its terminal that changes how keys, pastes and mouse events must be sent to it. */
  get keyModes(): TerminalModes {
    return this.tty ? this.#internals.modeTracker.keyModes : DEFAULT_MODES;
  }

  /**
   * Reads output that is there; never waits for more. What was dropped from memory comes from disk where it is kept there,
   * else it is skipped and counted. A cursor beyond the end reads nothing, and goes on at the end.
   */
  read(options: ReadOptions = {}): Promise<Page> {
    return this.#internals.store.read(options);
  }

  /** Like `read`, as UTF-8 text. A character that is not complete yet is left for the next page. */
  readText(options: ReadOptions = {}): Promise<TextPage> {
    return readText(this.#internals.store, options);
  }

  /** What a model should read of the output: clean, folded, within a budget, with the cursors of what was cut. */
  text(options: TextOptions = {}): Promise<SessionReading> {
    return readDigest(this.#internals.store, options);
  }

  /** A reader with a position of its own: each call returns what is new since the last. Default: from the beginning. */
  reader({ from = 0 }: { readonly from?: Cursor } = {}): OutputReader {
    return new OutputReader(this.#internals.store, from);
  }

  /** Like `text`, of the first lines. */
  head(lines: number, options: TextOptions = {}): Promise<SessionReading> {
    return readHead(this.#internals.store, lines, options);
  }

  /** Like `text`, of the last lines. */
  tail(lines: number, options: TextOptions = {}): Promise<SessionReading> {
    return readTail(this.#internals.store, lines, options);
  }

  /** Searches all output that is kept, in memory and on disk, with line numbers and context. */
  grep(pattern: string | RegExp, options: SearchOptions = {}): Promise<GrepResult> {
    return searchOutput(this.#internals.store, pattern, options);
  }

  /** Which stream each part of `[from, to)` came from, in order. After 65,536 switches the oldest are forgotten. */
  origins(from: Cursor, to: Cursor): Span[] {
    return this.#internals.store.spans(from, to);
  }

  /** All output from a cursor on, as it comes, until no more can follow; each page says what its reader has lost. */
  output(options: OutputOptions = {}): AsyncGenerator<Page, void, undefined> {
    return followOutput(this.#internals.store, options);
  }

  /**
   * Waits until something happens and says what: the program ended, `until` matched, the program waits for input,
   * something listens on a port, it was quiet, or the deadline came. Any number of callers may wait at once.
   */
  wait(options: WaitOptions = {}): Promise<WaitResult> {
    return waitFromPosition(this, options);
  }

  /** What the program waits for now; null for nothing. */
  waitingFor(): Promise<SessionStatus["waitingFor"]> {
    return readWaitingFor(this.#internals);
  }

  /** What the program left running when it ended; empty while it runs, and on a transport without a probe. */
  leftovers(): Promise<readonly RunningProcess[]> {
    return this.#internals.lifetime.leftovers();
  }

  /** What the session is doing now, and which fact says so. */
  status(): Promise<SessionStatus> {
    return readStatus(this.#internals);
  }

  /**
   * Types text, or sends bytes as they are. Resolves when the terminal has taken all of it, which the program may read
   * later. Writes are delivered in the order of the calls; at most 1 MiB may wait, and a write that fails says how much
   * of it the program never got.
   */
  write(input: string | Uint8Array): Promise<void> {
    return this.#internals.input.write(input);
  }

  /** Closes a piped stdin once all that was written before is delivered. In a terminal, write "\x04" (Ctrl+D) instead. */
  endInput(): void {
    this.#internals.input.endInput();
  }

  /** Changes the size of the terminal; the program gets SIGWINCH. Refused without a terminal. */
  resize(size: TerminalSize): void {
    this.#internals.resize(size);
  }

  /** By default to the foreground group, as the terminal's keys do. Rejects with `SESSION_ENDED` where nobody is left. */
  signal(name: NodeJS.Signals, { to = "foreground" }: { readonly to?: SignalTarget } = {}): Promise<void> {
    return this.#internals.lifetime.signal(name, to);
  }

  /**
   * Ends all that the session started, and reports what that was: hang-up, TERM, then KILL when the grace is over. Its output
   * stays readable. A second call gives the same report, sooner if it has less patience.
   */
  close(options: CloseOptions = {}): Promise<EndReport> {
    return this.#internals.lifetime.close(options);
  }

  /** Resolves when all output so far is on disk, or known not to be. */
  flush(): Promise<void> {
    return this.#internals.store.flush();
  }

  /** Closes, and deletes what is on disk. */
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
