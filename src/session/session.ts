/** One program, kept alive between calls: its output, its input, its end. */
import { constants } from "node:os";
import { encodeText } from "../base/encode-text.ts";
import { ShellError } from "../base/errors.ts";
import { DEFAULT_GRACE_MS, MAX_COLS, MAX_GRACE_MS, MAX_ROWS } from "../base/limits.ts";
import { requireInteger } from "../base/range.ts";
import type { GrepResult } from "../output/grep.ts";
import { describeExit } from "../pty/describe-exit.ts";
import type { EndReport } from "../pty/end-tree.ts";
import type { TerminalSize } from "../pty/open-pty.ts";
import type { ProgramTrace } from "../pty/process-tree.ts";
import type { Exit } from "../pty/reap.ts";
import type { TerminalMode } from "../pty/terminal-mode.ts";
import { endedChannel } from "../transport/ended.ts";
import type { Channel, OnOutput, RunningProcess, SignalTarget } from "../transport/transport.ts";
import type { Yield } from "./decide-yield.ts";
import { InputQueue } from "./input-queue.ts";
import { type InputVerdict, judgeInput } from "./input-state.ts";
import type { Cursor, Page } from "./journal.ts";
import { KeptOutput, type OutputOptions, type ReadOptions, type TextPage } from "./kept-output.ts";
import type { Span } from "./origins.ts";
import { Finishes, filtered, type OutputFilter } from "./output-filter.ts";
import { OutputReader } from "./output-reader.ts";
import {
  readDigest,
  readHead,
  readTail,
  type SearchOptions,
  type SessionReading,
  type TextOptions,
} from "./reading.ts";
import { searchOutput } from "./search-output.ts";
import { SearchedParts } from "./searched-parts.ts";
import type { Spill, SpillHealth } from "./spill.ts";
import type { RestoredOutput } from "./spill-restore.ts";
import { type Phase, phaseOf } from "./state.ts";
import { lookForInput, readStatus, type SessionStatus } from "./status.ts";
import type { Timeline } from "./timeline.ts";
import { type OnTyped, TypedInput } from "./typed-input.ts";
import { type Waitable, type WaitOptions, waitFor } from "./wait.ts";

/** What a session is and was started with. */
interface SessionIdentity {
  /** A positive whole number, never used again in this process. */
  readonly id: number;
  readonly name: string | undefined;
  /** As given; for a `command`, the shell. */
  readonly program: string;
  readonly args: readonly string[];
  /** Where the program started; it may be elsewhere by now. */
  readonly cwd: string;
  /** False: plain pipes instead of a terminal. */
  readonly tty: boolean;
}

/** What a session is made of; `openSession` puts it together. */
export interface SessionParts extends SessionIdentity {
  /** Default: now. */
  readonly startedAt?: number;
  readonly size: TerminalSize;
  readonly journalBytes: number;
  readonly onFlood: "drop" | "block";
  readonly spill: Spill | undefined;
  readonly outputFilter: OutputFilter | undefined;
  readonly openChannel: (onOutput: OnOutput) => Promise<Channel>;
}

/** What another process has left of a session. */
export interface FormerParts extends Omit<SessionParts, "openChannel" | "onFlood" | "outputFilter"> {
  readonly startedAt: number;
  /** Undefined where that process was gone before the program was. */
  readonly exit: Exit | undefined;
  readonly restored: RestoredOutput;
}

interface BuildParts extends SessionIdentity {
  readonly startedAt?: number;
  readonly size: TerminalSize;
  readonly kept: KeptOutput;
  readonly channel: Channel;
  readonly outputFilter?: OutputFilter | undefined;
  readonly isLost: boolean;
}

/** How hard and why to close. */
export interface CloseOptions {
  /** Time between hang-up and kill, 0 to 60,000; TERM comes after a quarter of it. Default 1,000. */
  readonly graceMs?: number;
  /** Kill at once, whatever `graceMs` says. Default false. */
  readonly force?: boolean;
  /** Why; the first reason given stays. Default "asked". */
  readonly reason?: CloseReason;
}

/** `asked`: by a caller. `idle`: nobody had touched the session for long. */
export type CloseReason = "asked" | "idle";

/**
 * One program in one terminal, kept alive between calls. Made by `openSession` or a registry.
 *
 * What it printed stays readable, also after its end, until the session is discarded or nobody holds it any more.
 */
export class Session implements SessionIdentity {
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
  readonly #kept: KeptOutput;
  readonly #channel: Channel;
  readonly #input: InputQueue;
  readonly #typed: TypedInput;
  readonly #waitable: Waitable;
  readonly #finishes = new Finishes();
  #size: TerminalSize;
  #seenTo: Cursor = 0;
  readonly #searched = new SearchedParts();
  #lastInputMs = 0;
  #exit: Exit | undefined;
  #closeReason: CloseReason | undefined;
  #hasNothingLeft = false;

  private constructor(parts: BuildParts) {
    const { kept, channel, isLost } = parts;
    this.id = parts.id;
    this.name = parts.name;
    this.program = parts.program;
    this.args = parts.args;
    this.cwd = parts.cwd;
    this.tty = parts.tty;
    this.startedAt = parts.startedAt ?? Date.now();
    this.isLost = isLost;
    this.#size = parts.size;
    this.#kept = kept;
    if (parts.tty) kept.size = parts.size;
    kept.timeline.noteSize(0, parts.size);
    this.#channel = channel;
    this.#typed = new TypedInput(kept);
    this.#input = new InputQueue(channel, this.#typed.onDelivery);
    this.#waitable = this.#asWaitable();
    kept.attach(channel);
    void channel.outputEnded.then(() => {
      parts.outputFilter?.finish((bytes) => kept.append(bytes, "terminal"));
      kept.finish();
    });
    void channel.exited.then((exit) => {
      this.#exit = exit;
      kept.changes.announce();
    });
  }

  /** Rejects with what prevented the start; then nothing is left behind. */
  static async open(parts: SessionParts): Promise<Session> {
    const kept = new KeptOutput(parts);
    const append: OnOutput = (bytes, origin) => kept.append(bytes, origin);
    const channel = await parts.openChannel(filtered(parts.outputFilter, append, () => kept.changes.announce()));
    return new Session({ ...parts, kept, channel, isLost: false });
  }

  /** One that has ended with its process: only its output is left. */
  static async restore(parts: FormerParts): Promise<Session> {
    const kept = new KeptOutput({ ...parts, onFlood: "drop" });
    const channel = endedChannel(parts.exit ?? { kind: "lost" });
    const session = new Session({ ...parts, kept, channel, isLost: parts.exit === undefined });
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
  get kept(): KeptOutput {
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
    return phaseOf({
      exit: this.#exit,
      isOutputEnded: this.#kept.hasEnded,
      isCloseAsked: this.#closeReason !== undefined,
    });
  }

  /** How the program ended; undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit;
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
    return this.#closeReason;
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
    return this.#typed.listen(listener);
  }

  /** Milliseconds since the last output, or since the start. */
  get silentMs(): number {
    return performance.now() - this.#kept.lastMs;
  }

  /** When input was last delivered, on the clock of `performance.now()`; 0 where there was none. */
  get lastInputMs(): number {
    return this.#lastInputMs;
  }

  /** Bytes typed that the terminal has not taken yet. */
  get queuedInputBytes(): number {
    return this.#input.queuedBytes;
  }

  /** Whether all output also reaches the disk; undefined where none was asked for. */
  get journalHealth(): SpillHealth | undefined {
    return this.#kept.health;
  }

  /**
   * What the program asked of its terminal, at this moment. It does not say that the program is waiting for input.
   * Undefined without a terminal, or when it is gone.
   */
  get terminalMode(): TerminalMode | undefined {
    return this.#channel.terminalMode();
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
    return this.#kept.readText(options);
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
    return this.#kept.pages(options);
  }

  /**
   * Waits until there is something to know and tells what: the program ended, `until` matched, the program waits for input,
   * a port is listened on, it was quiet, or the deadline came. Any number of callers may wait at once.
   */
  async wait(options: WaitOptions = {}): Promise<Yield> {
    const from = options.from ?? this.#seenTo;
    const recallFrom = this.#searched.startOf(from);
    const yielded = await waitFor(this.#waitable, { ...options, from, recallFrom });
    const isInVain = options.until !== undefined && yielded.reason !== "matched";
    if (isInVain) this.#searched.note(recallFrom, yielded.cursor);
    if (options.from === undefined) this.markSeen(yielded.cursor);
    return yielded;
  }

  /** Where `wait` begins to look for its pattern unless told otherwise. */
  get seenTo(): Cursor {
    return this.#seenTo;
  }

  /** Output up to here has been dealt with. Never goes back. */
  markSeen(cursor: Cursor): void {
    this.#seenTo = Math.max(this.#seenTo, cursor);
  }

  /** What the program waits for now; null for nothing. */
  waitingFor(): Promise<SessionStatus["waitingFor"]> {
    return lookForInput(this.#waitable);
  }

  /** What the program left running when it ended; empty while it runs. */
  async leftovers(): Promise<readonly RunningProcess[]> {
    if (!this.#exit || this.#hasNothingLeft) return [];
    const left = await this.#channel.running();
    // Nobody is there who could start anything, so this need never be asked again.
    this.#hasNothingLeft = left.length === 0;
    return left;
  }

  /** What the session is doing now, and which fact says so. */
  status(): Promise<SessionStatus> {
    return readStatus(this.#waitable, {
      isStopped: this.#channel.isStopped(),
      isFullScreen: this.#kept.isFullScreen,
    });
  }

  /**
   * Types text, or sends bytes as they are. Resolves when the terminal has taken all of it, which the program may read
   * later. Writes are delivered in the order of the calls; at most 1 MiB may wait, and a write that fails says how much
   * of it the program never got.
   */
  async write(input: string | Uint8Array): Promise<void> {
    this.#requireAlive("write to");
    await this.#input.write(typeof input === "string" ? encodeText(input) : Uint8Array.from(input));
    this.#lastInputMs = performance.now();
  }

  /** Closes a piped stdin once all that was written before is delivered. In a terminal, write "\x04" (Ctrl+D) instead. */
  endInput(): void {
    this.#requireAlive("end the input of");
    if (this.tty) {
      throw new ShellError(
        "BAD_OPTION",
        `Session ${this.id} has a terminal, whose input has no end. Write "\\x04" (Ctrl+D) instead.`,
      );
    }
    this.#input.end();
  }

  /** Changes the size of the terminal; the program is told by SIGWINCH. Refused without a terminal. */
  resize(size: TerminalSize): void {
    this.#requireAlive("resize");
    requireSize(size);
    if (!this.tty) {
      throw new ShellError("NO_TERMINAL", `Session ${this.id} has no terminal to resize. Open it with tty: true.`);
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
      throw new ShellError("BAD_OPTION", `There is no signal ${JSON.stringify(name)}. Give a name such as "SIGINT".`);
    }
    if (this.phase !== "exited") this.#requireAlive("signal");
    if (await this.#channel.signal(name, to)) return;
    throw new ShellError(
      "SESSION_ENDED",
      `Session ${this.id} has nothing left that could get ${name}. Start a new session.`,
    );
  }

  /**
   * Ends all that the session started, and tells what that was: hang-up, TERM, then KILL when the grace is over. Its output
   * stays readable. A second call gives the same report, sooner if it has less patience.
   */
  async close({ graceMs = DEFAULT_GRACE_MS, force = false, reason = "asked" }: CloseOptions = {}): Promise<EndReport> {
    requireInteger("graceMs", graceMs, { min: 0, max: MAX_GRACE_MS });
    this.#closeReason ??= reason;
    const report = await this.#channel.close({ graceMs: force ? 0 : graceMs });
    await this.#kept.flush();
    return report;
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

  #asWaitable(): Waitable {
    const session = this;
    return {
      kept: this.#kept,
      get exit() {
        return session.#exit;
      },
      get lastInputMs() {
        return session.#lastInputMs;
      },
      look: () => session.#look(),
      listening: () => session.#channel.listening(),
      finishes: session.#finishes,
    };
  }

  #look(): InputVerdict {
    if (this.#input.queuedBytes > 0) return judgeInput("input queued");
    const look = this.#channel.lookForInput();
    const isReady = this.#finishes.isBetween && typeof look?.reader === "object" && look.reader.pid === this.pid;
    return judgeInput(isReady ? "ready for a command" : look);
  }

  #requireAlive(what: string): void {
    if (this.#exit) {
      const isIdle = this.#closeReason === "idle";
      const how = this.isLost
        ? "was lost with its host"
        : describeExit(this.#exit) + (isIdle ? ", closed because nobody had used it for long" : "");
      throw new ShellError(
        "SESSION_ENDED",
        `Cannot ${what} session ${this.id}: its program ${how}. Start a new session.`,
      );
    }
    if (this.#closeReason) {
      throw new ShellError("SESSION_CLOSING", `Cannot ${what} session ${this.id}: it is closing. Start a new session.`);
    }
  }
}

export function requireSize({ cols, rows }: TerminalSize): void {
  requireInteger("cols", cols, { min: 1, max: MAX_COLS });
  requireInteger("rows", rows, { min: 1, max: MAX_ROWS });
}
