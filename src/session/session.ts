/** One program, kept alive between calls: its output, its input, its end. */

import { constants } from "node:os";
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import { LimpetError } from "../base/limpet-error.ts";
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
import type { RunningProcess } from "../transport/probe.ts";
import type { Channel, OnOutput, SignalTarget } from "../transport/transport.ts";
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
import type { OnTyped } from "./typed-input.ts";
import type { WaitResult } from "./wait/decide-wait.ts";
import type { WaitOptions } from "./wait/wait-for.ts";

export type { CloseOptions, CloseReason };

interface BuildParts extends SessionProgram {
  readonly startedAt?: number;
  readonly size: TerminalSize;
  readonly store: OutputStore;
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
  readonly #store: OutputStore;
  readonly #channel: Channel;
  readonly #input: SessionInput;
  readonly #end: SessionEnd;
  readonly #waits: SessionWaits;
  readonly #finishes = new Finishes();
  #size: TerminalSize;

  private constructor(parts: BuildParts) {
    const { id, tty, store, channel, isLost } = parts;
    this.id = id;
    this.name = parts.name;
    this.program = parts.program;
    this.args = parts.args;
    this.cwd = parts.cwd;
    this.tty = tty;
    this.startedAt = parts.startedAt ?? Date.now();
    this.isLost = isLost;
    this.#size = parts.size;
    this.#store = store;
    if (tty) store.size = parts.size;
    store.timeline.noteSize(0, parts.size);
    this.#channel = channel;
    store.attach(channel);
    void channel.outputEnded.then(() => {
      parts.outputFilter?.finish((bytes) => store.append(bytes, "terminal"));
      store.finish();
    });
    const end = new SessionEnd({ id, isLost, store, channel });
    const input = new SessionInput({ id, tty, store, channel, end });
    this.#end = end;
    this.#input = input;
    this.#waits = new SessionWaits({ store, channel, input, end, finishes: this.#finishes });
  }

  /** Rejects with what prevented the start; then nothing is left behind. */
  static async open(parts: SessionParts): Promise<Session> {
    const store = new OutputStore(parts);
    const append: OnOutput = (bytes, origin) => store.append(bytes, origin);
    const channel = await parts.openChannel(filtered(parts.outputFilter, append, () => store.changes.announce()));
    return new Session({ ...parts, store, channel, isLost: false });
  }

  /** One that has ended with its process: only its output is left. */
  static async restore(parts: FormerParts): Promise<Session> {
    const store = new OutputStore({ ...parts, onFlood: "drop" });
    const channel = endedChannel(parts.exit ?? { kind: "lost" });
    const session = new Session({ ...parts, store, channel, isLost: parts.exit === undefined });
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
  get store(): OutputStore {
    return this.#store;
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
    return this.#store.end;
  }

  /** When output came and when the size changed, as far as that is kept. */
  get timeline(): Timeline {
    return this.#store.timeline;
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
    return performance.now() - this.#store.lastMs;
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
    return this.#store.health;
  }

  /**
   * What the program asked of its terminal, at this moment. It does not say that the program is waiting for input.
   * Undefined without a terminal, when it is gone, or on a transport without a probe.
   */
  get terminalMode(): TerminalMode | undefined {
    return this.#channel.probe?.terminalMode();
  }

  /**
   * Reads output that is there; never waits for more. What was dropped from memory comes from disk where it is kept there,
   * else it is skipped and counted. A cursor beyond the end reads nothing, and goes on at the end.
   */
  read(options: ReadOptions = {}): Promise<Page> {
    return this.#store.read(options);
  }

  /** Like `read`, as UTF-8 text. A character that is not complete yet is left for the next page. */
  readText(options: ReadOptions = {}): Promise<TextPage> {
    return readText(this.#store, options);
  }

  /** What a model should read of the output: clean, folded, within a budget, with the place of what was cut. */
  text(options: TextOptions = {}): Promise<SessionReading> {
    return readDigest(this.#store, options);
  }

  /** A place of one's own in the output: each call gives what is new since the last. Default: from the beginning. */
  reader({ from = 0 }: { readonly from?: Cursor } = {}): OutputReader {
    return new OutputReader(this.#store, from);
  }

  /** Like `text`, of the first lines. */
  head(lines: number, options: TextOptions = {}): Promise<SessionReading> {
    return readHead(this.#store, lines, options);
  }

  /** Like `text`, of the last lines. */
  tail(lines: number, options: TextOptions = {}): Promise<SessionReading> {
    return readTail(this.#store, lines, options);
  }

  /** Searches all output that is kept, in memory and on disk, with line numbers and context. */
  grep(pattern: string | RegExp, options: SearchOptions = {}): Promise<GrepResult> {
    return searchOutput(this.#store, pattern, options);
  }

  /** Which stream each part of `[from, to)` came from, in order. After 65,536 switches the oldest are forgotten. */
  origins(from: Cursor, to: Cursor): Span[] {
    return this.#store.spans(from, to);
  }

  /**
   * All output from a cursor on, as it comes, until no more can follow. Each reader has its own pace and is told
   * what it lost; leaving the loop stops the reading only.
   */
  output(options: OutputOptions = {}): AsyncGenerator<Page, void, undefined> {
    return followOutput(this.#store, options);
  }

  /**
   * Waits until something happens and says what: the program ended, `until` matched, the program waits for input,
   * something listens on a port, it was quiet, or the deadline came. Any number of callers may wait at once.
   *
   * On a transport without a probe nobody can say that the program waits for input. A wait that would end then (`onInput`) ends
   * with `quiet` after 1,000 ms of silence instead, unless `quietMs` says otherwise.
   */
  wait(options: WaitOptions = {}): Promise<WaitResult> {
    return this.#waits.wait(options);
  }

  /** Where `wait` begins to search for its pattern unless told otherwise. */
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

  /** What the program left running when it ended; empty while it runs, and on a transport without a probe. */
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
    this.#store.size = size;
    this.#store.timeline.noteSize(this.#store.end, size);
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
    await this.#store.flush();
  }

  /** Closes, and deletes what is on disk. */
  async discard(options: CloseOptions = {}): Promise<EndReport> {
    const report = await this.close(options);
    await this.#store.discard();
    return report;
  }

  /** Like `discard`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.discard();
  }
}
