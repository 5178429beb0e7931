/** One program, kept alive between calls: its output, its input, its end. */

import { constants } from "node:os";
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { DEFAULT_MODES, type TerminalModes } from "../base/terminal-modes.ts";
import { requireSize, type TerminalSize } from "../base/terminal-size.ts";
import type { JournalHealth } from "../journal/disk-journal.ts";
import { followOutput, type OutputOptions } from "../journal/follow-output.ts";
import type { Span } from "../journal/origins.ts";
import { OutputStore, type ReadOptions } from "../journal/output-store.ts";
import { readText, type TextPage } from "../journal/read-text.ts";
import type { Timeline } from "../journal/timeline.ts";
import type { EndReport } from "../linux/end-tree.ts";
import type { ProgramTrace } from "../linux/process-tree.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { GrepResult } from "../text/search/grep.ts";
import { endedChannel } from "../transport/ended-channel.ts";
import type { Channel, OnOutput, RunningProcess, SignalTarget } from "../transport/transport.ts";
import { Finishes, filtered, type OutputFilter } from "./output-filter.ts";
import type { Phase } from "./phase-of.ts";
import { OutputReader } from "./read/output-reader.ts";
import {
  readDigest,
  readHead,
  readTail,
  type SearchOptions,
  type SessionReading,
  type TextOptions,
} from "./read/read-digest.ts";
import { searchOutput } from "./read/search-output.ts";
import { type CloseOptions, type CloseReason, SessionEnd } from "./session-end.ts";
import { SessionInput } from "./session-input.ts";
import type { FormerParts, SessionParts, SessionProgram } from "./session-parts.ts";
import type { SessionStatus } from "./session-status.ts";
import { SessionWaits } from "./session-waits.ts";
import { TerminalModeTracker } from "./terminal-mode-tracker.ts";
import type { OnTyped } from "./typed-input.ts";
import type { WaitResult } from "./wait/decide-wait.ts";
import type { WaitOptions } from "./wait/wait-for.ts";

export type { CloseOptions, CloseReason };

interface BuildParts extends SessionProgram {
  readonly startedAt?: number;
  readonly size: TerminalSize;
  readonly kept: OutputStore;
  readonly modeTracker: TerminalModeTracker;
  readonly channel: Channel;
  readonly outputFilter?: OutputFilter | undefined;
  readonly isLost: boolean;
}

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
  readonly #kept: OutputStore;
  readonly #modeTracker: TerminalModeTracker;
  readonly #channel: Channel;
  readonly #input: SessionInput;
  readonly #end: SessionEnd;
  readonly #waits: SessionWaits;
  readonly #finishes = new Finishes();
  #size: TerminalSize;

  private constructor(parts: BuildParts) {
    const { id, tty, kept, modeTracker, channel, isLost } = parts;
    this.id = id;
    this.name = parts.name;
    this.program = parts.program;
    this.args = parts.args;
    this.cwd = parts.cwd;
    this.tty = tty;
    this.startedAt = parts.startedAt ?? Date.now();
    this.isLost = isLost;
    this.#size = parts.size;
    this.#kept = kept;
    this.#modeTracker = modeTracker;
    if (tty) kept.size = parts.size;
    kept.timeline.noteSize(0, parts.size);
    this.#channel = channel;
    kept.attach(channel);
    void channel.outputEnded.then(() => {
      parts.outputFilter?.finish((bytes) => {
        modeTracker.push(bytes);
        kept.append(bytes, "terminal");
      });
      kept.finish();
    });
    const end = new SessionEnd({ id, isLost, kept, channel });
    const input = new SessionInput({ id, tty, kept, channel, end });
    this.#end = end;
    this.#input = input;
    this.#waits = new SessionWaits({ kept, channel, input, end, finishes: this.#finishes, modeTracker });
  }

  /** Rejects with what prevented the start; then nothing is left behind. */
  static async open(parts: SessionParts): Promise<Session> {
    const kept = new OutputStore(parts);
    const modeTracker = new TerminalModeTracker();
    const append: OnOutput = (bytes, origin) => {
      modeTracker.push(bytes);
      kept.append(bytes, origin);
    };
    const channel = await parts.openChannel(filtered(parts.outputFilter, append, () => kept.changes.announce()));
    return new Session({ ...parts, kept, modeTracker, channel, isLost: false });
  }

  /** One that has ended with its process: only its output is left. */
  static async restore(parts: FormerParts): Promise<Session> {
    const kept = new OutputStore({ ...parts, onFlood: "drop" });
    const channel = endedChannel(parts.exit ?? { kind: "lost" });
    const modeTracker = new TerminalModeTracker();
    const session = new Session({ ...parts, kept, modeTracker, channel, isLost: parts.exit === undefined });
    await channel.exited;
    return session;
  }

  /** By what its program can be found again after the end of this process; undefined where it cannot. */
  get trace(): ProgramTrace | undefined {
    return this.#channel.trace;
  }

  /** What the session is connected through: for what builds on sessions, such as a shell. */
  get channel(): Channel {
    return this.#channel;
  }

  /** Where its output is kept: for what builds on sessions. */
  get kept(): OutputStore {
    return this.#kept;
  }

  /** The commands that have finished in it, where it is a prepared shell. */
  get finishes(): Finishes {
    return this.#finishes;
  }

  /** Null where the program has no pid on this machine. */
  get pid(): number | null {
    return this.#channel.pid;
  }

  /** Where it is in its life; only `ended` is final. */
  get phase(): Phase {
    return this.#end.phase;
  }

  /** How the program ended; undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#end.exit;
  }

  /** Resolves when the program has ended; all that it wrote is in the journal by then. Never rejects. */
  get exited(): Promise<Exit> {
    return this.#channel.exited;
  }

  /** Resolves when the program has ended and nothing can write any more, which may be long after. Never rejects. */
  get ended(): Promise<Exit> {
    return this.#channel.outputEnded.then(() => this.#channel.exited);
  }

  /** Why we ended it; undefined where we did not. */
  get closeReason(): CloseReason | undefined {
    return this.#end.closeReason;
  }

  /** Of the terminal, as last set by us. */
  get size(): TerminalSize {
    return this.#size;
  }

  /** Where the next byte of output will stand: also how many there have been. */
  get endCursor(): Cursor {
    return this.#kept.end;
  }

  /** When output came and when the size changed, as far as that is kept. */
  get timeline(): Timeline {
    return this.#kept.timeline;
  }

  /** Calls `listener` with all input that the terminal takes and shows; what is typed at a password prompt is not told. */
  onTyped(listener: OnTyped): () => void {
    return this.#input.onTyped(listener);
  }

  /** @internal Also what is typed without echo: for who must know that something was typed, and keeps none of it. */
  confideTyped(listener: OnTyped): void {
    this.#input.confideTyped(listener);
  }

  /** Milliseconds since the last output, or since the start. */
  get silentMs(): number {
    return performance.now() - this.#kept.lastMs;
  }

  /** When input was last delivered, on the clock of `performance.now()`; 0 where there was none. */
  get lastInputMs(): number {
    return this.#input.lastMs;
  }

  /** Bytes typed that the terminal has not taken yet. */
  get queuedInputBytes(): number {
    return this.#input.queuedBytes;
  }

  /** Whether all output also reaches the disk; undefined where none was asked for. */
  get journalHealth(): JournalHealth | undefined {
    return this.#kept.health;
  }

  /**
   * What the program asked of its terminal, at this moment. It does not say that the program is waiting for input.
   * Undefined without a terminal, or when it is gone.
   */
  get terminalMode(): TerminalMode | undefined {
    return this.#channel.terminalMode();
  }

  /** What the program asked of its terminal that changes how keys, pastes and mouse events must be sent to it. */
  get keyModes(): TerminalModes {
    return this.tty ? this.#modeTracker.keyModes : DEFAULT_MODES;
  }

  /**
   * Reads output that is there; never waits for more. What was dropped from memory comes from disk where it is kept there,
   * else it is skipped and counted. A cursor beyond the end reads nothing, and goes on at the end.
   */
  read(options: ReadOptions = {}): Promise<Page> {
    return this.#kept.read(options);
  }

  /** Like `read`, as UTF-8 text. A character that is not complete yet is left for the next page. */
  readText(options: ReadOptions = {}): Promise<TextPage> {
    return readText(this.#kept, options);
  }

  /** What a model should read of the output: clean, folded, within a budget, with the place of what was cut. */
  text(options: TextOptions = {}): Promise<SessionReading> {
    return readDigest(this.#kept, options);
  }

  /** A place of one's own in the output: each call gives what is new since the last. Default: from the beginning. */
  reader({ from = 0 }: { readonly from?: Cursor } = {}): OutputReader {
    return new OutputReader(this.#kept, from);
  }

  /** Like `text`, of the first lines. */
  head(lines: number, options: TextOptions = {}): Promise<SessionReading> {
    return readHead(this.#kept, lines, options);
  }

  /** Like `text`, of the last lines. */
  tail(lines: number, options: TextOptions = {}): Promise<SessionReading> {
    return readTail(this.#kept, lines, options);
  }

  /** Searches all output that is kept, in memory and on disk, with line numbers and context. */
  grep(pattern: string | RegExp, options: SearchOptions = {}): Promise<GrepResult> {
    return searchOutput(this.#kept, pattern, options);
  }

  /** Which stream each part of `[from, to)` came from, in order. After 65,536 switches the oldest are forgotten. */
  origins(from: Cursor, to: Cursor): Span[] {
    return this.#kept.spans(from, to);
  }

  /**
   * All output from a cursor on, as it comes, until no more can follow. Each reader has its own pace and is told
   * what it lost; leaving the loop stops the reading only.
   */
  output(options: OutputOptions = {}): AsyncGenerator<Page, void, undefined> {
    return followOutput(this.#kept, options);
  }

  /**
   * Waits until there is something to know and tells what: the program ended, `until` matched, the program waits for input,
   * a port is listened on, it was quiet, or the deadline came. Any number of callers may wait at once.
   */
  wait(options: WaitOptions = {}): Promise<WaitResult> {
    return this.#waits.wait(options);
  }

  /** Where `wait` begins to look for its pattern unless told otherwise. */
  get seenTo(): Cursor {
    return this.#waits.seenTo;
  }

  /** Output up to here has been dealt with. Never goes back. */
  markSeen(cursor: Cursor): void {
    this.#waits.markSeen(cursor);
  }

  /** What the program waits for now; null for nothing. */
  waitingFor(): Promise<SessionStatus["waitingFor"]> {
    return this.#waits.waitingFor();
  }

  /** What the program left running when it ended; empty while it runs. */
  leftovers(): Promise<readonly RunningProcess[]> {
    return this.#end.leftovers();
  }

  /** What the session is doing now, and which fact says so. */
  status(): Promise<SessionStatus> {
    return this.#waits.status();
  }

  /**
   * Types text, or sends bytes as they are. Resolves when the terminal has taken all of it, which the program may read
   * later. Writes are delivered in the order of the calls; at most 1 MiB may wait, and a write that fails says how much
   * of it the program never got.
   */
  write(input: string | Uint8Array): Promise<void> {
    return this.#input.write(input);
  }

  /** Closes a piped stdin once all that was written before is delivered. In a terminal, write "\x04" (Ctrl+D) instead. */
  endInput(): void {
    this.#input.endInput();
  }

  /** Changes the size of the terminal; the program is told by SIGWINCH. Refused without a terminal. */
  resize(size: TerminalSize): void {
    this.#end.requireAlive("resize");
    requireSize(size);
    if (!this.tty) {
      throw new LimpetError("NO_TERMINAL", `Session ${this.id} has no terminal to resize. Open it with tty: true.`);
    }
    this.#channel.resize(size);
    this.#size = size;
    this.#kept.size = size;
    this.#kept.timeline.noteSize(this.#kept.end, size);
  }

  /**
   * By default to the group in the foreground, as the terminal's own keys would do it. Resolves when it was sent, and
   * rejects with `SESSION_ENDED` where nobody was left to get it.
   */
  async signal(name: NodeJS.Signals, { to = "foreground" }: { readonly to?: SignalTarget } = {}): Promise<void> {
    if (constants.signals[name] === undefined) {
      throw new LimpetError("BAD_OPTION", `There is no signal ${JSON.stringify(name)}. Give a name such as "SIGINT".`);
    }
    if (this.phase !== "exited") this.#end.requireAlive("signal");
    if (await this.#channel.signal(name, to)) return;
    throw new LimpetError(
      "SESSION_ENDED",
      `Session ${this.id} has nothing left that could get ${name}. Start a new session.`,
    );
  }

  /**
   * Ends all that the session started, and tells what that was: hang-up, TERM, then KILL when the grace is over. Its output
   * stays readable. A second call gives the same report, sooner if it has less patience.
   */
  close(options: CloseOptions = {}): Promise<EndReport> {
    return this.#end.close(options);
  }

  /** Resolves when all output so far is on disk, or known not to be. */
  async flush(): Promise<void> {
    await this.#kept.flush();
  }

  /** Closes, and deletes what is on disk. */
  async discard(options: CloseOptions = {}): Promise<EndReport> {
    const report = await this.close(options);
    await this.#kept.discard();
    return report;
  }

  /** Like `discard`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.discard();
  }
}
