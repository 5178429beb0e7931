/**
 * Types commands into a shell and hears where they begin and end.
 *
 * The end mark comes right after the command, the prompt when the shell is ready again. A command that was aborted, by Ctrl+C
 * or by an error that throws the shell back, has no end mark: then the prompt is its end, and the shell is asked for the rest.
 * A prompt can be lost, too (a hook has another one, stderr is a file): then it is the kernel who says that the shell reads.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ShellError } from "../base/errors.ts";
import { SHELL_ANSWER_MS } from "../base/limits.ts";
import { within } from "../base/within.ts";
import type { UnseenOptions } from "../pty/unseen-typing.ts";
import type { Session } from "../session/session.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { Frame } from "./frame.ts";
import { FrameFilter } from "./frame-filter.ts";
import { type EndMark, newNonce } from "./mark.ts";
import { type PromptPatience, untilAtPrompt } from "./prompt-patience.ts";
import { PromptWatch } from "./prompt-watch.ts";
import { bundleLines, joinPieces } from "./typed-lines.ts";

/** A prompt follows its end mark within this; later the kernel is asked. */
const PROMPT_MS = 4;
const FIRST_LOOK_MS = 1;
const SLOWEST_LOOK_MS = 50;
/** Whoever printed a prompt and does not read after this long was not the shell. */
const READS_WITHIN_MS = 2_000;
/** A terminal that is full is looked at this often without a timer: the shell takes microseconds. */
const QUICK_LOOKS = 50;
/** A shell that was asked and reads again after this long has not got the question. */
const ANSWER_MS = 500;
const MOST_ASKS = 5;

export interface FrameOptions {
  readonly command: string | undefined;
  readonly redirects?: string;
  /** The command has ended: last chance to add to its output. */
  readonly onEnd?: () => void;
  /** How long to wait for the prompt. Undefined: whoever reads gets it. */
  readonly patience?: PromptPatience;
}

export class Framer {
  readonly filter: FrameFilter;
  readonly #dialect: Dialect;
  readonly #promptNonce = newNonce();
  readonly #prompts: PromptWatch;
  #session: Session | undefined;
  #frame: Frame | undefined;
  #onEnd: (() => void) | undefined;
  readonly #early: Uint8Array[] = [];
  #flags = "";
  #status = 0;
  #cwd = "";

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.filter = new FrameFilter(
      { promptNonce: this.#promptNonce, noise: dialect.noise },
      {
        onStart: () => this.#onStart(),
        onEnd: (mark) => this.#onEndMark(mark),
        onPrompt: () => this.#onPrompt(),
      },
    );
    this.#prompts = new PromptWatch(dialect, this.filter);
  }

  /** Before anything is typed. */
  attach(session: Session): void {
    this.#session = session;
    this.#prompts.attach(session);
    void session.exited.then(() => this.#frame?.finish());
  }

  /** The command that runs. */
  get frame(): Frame | undefined {
    return this.#frame?.isDone ? undefined : this.#frame;
  }

  /** Its own `read` looks to the kernel like the wait of a server: only the shell itself can be known to wait so. */
  get readsUnnoticed(): boolean {
    return this.#dialect.editsLines;
  }

  /** As of the last command's end. */
  get cwd(): string {
    return this.#cwd;
  }

  async begin({ command, redirects = "", onEnd, patience }: FrameOptions): Promise<Frame> {
    const session = this.#attached();
    if (patience) await this.#untilReady(session, patience);
    const frame = new Frame(session.endCursor, session.channel.markProcesses());
    // A shell that has just started may edit lines, as one that was thrown back.
    frame.isAsking = command === undefined;
    this.#frame = frame;
    this.#onEnd = onEnd;
    session.finishes.begin();
    // One that happens to edit its line shows what is typed, and that is nobody's output.
    if (this.#dialect.editsLines) this.filter.isDropping = true;
    await this.#type(frame, command, redirects);
    if (session.exit) frame.finish();
    return frame;
  }

  /** One that edits a line would show what is typed; once it was asked for its state, it does not. */
  async #untilReady(session: Session, patience: PromptPatience): Promise<void> {
    await untilAtPrompt(session, this.#prompts, patience);
    if (!this.#dialect.editsLines || !this.#prompts.isEditing()) return;
    const status = this.#status;
    this.filter.isDropping = true;
    const { done } = await this.begin({ command: undefined });
    await within(SHELL_ANSWER_MS, done);
    this.#status = status;
    session.finishes.markTold();
    await untilAtPrompt(session, this.#prompts, patience);
  }

  /** The shell was interrupted: if it reads without having told an end, it is asked. */
  expectAbort(): void {
    const { frame } = this;
    this.#prompts.forgetTyped();
    if (frame) void this.#recover(frame);
  }

  /** Whether the shell is at its prompt, though neither an end nor a prompt of ours came: then it is asked. */
  noticeAbort(frame: Frame): boolean {
    if (!frame.hasStarted || !this.#prompts.isReadingLinesAtPrompt()) return false;
    void this.#recover(frame);
    return true;
  }

  /**
   * Whether somebody else has read what was typed: the shell still reads at its prompt, and has said nothing. Then the command
   * is given up, for it was never begun.
   */
  giveUpTaken(frame: Frame): boolean {
    const isUnheard = frame.isTyped && frame.isAtWork && !frame.hasStarted;
    if (!isUnheard || !this.#prompts.isReadingLikePrompt() || !frame.isAtWork || frame.hasStarted) return false;
    this.filter.expectNone();
    this.filter.isDropping = false;
    frame.finish();
    return true;
  }

  /** The shell itself reads for its command, and not at its prompt. */
  isReadingForCommand(frame: Frame): boolean {
    if (!this.isShellReading() || this.noticeAbort(frame) || this.#prompts.isReadingLikePrompt()) return false;
    // Asked last: the look has taken what was printed before, and that may have told the end.
    return frame.isAtWork && frame.hasStarted;
  }

  /**
   * What came on a stderr of its own. It can be there before the mark of the beginning, which comes another way: then it
   * waits for that.
   */
  addStderr(bytes: Uint8Array): void {
    const { frame } = this;
    if (frame && !frame.hasStarted && !frame.end) this.#early.push(Uint8Array.from(bytes));
    else this.#attached().kept.append(bytes, "stderr");
  }

  #addEarly(): void {
    for (const bytes of this.#early.splice(0)) this.#attached().kept.append(bytes, "stderr");
  }

  async #type(frame: Frame, command: string | undefined, redirects: string): Promise<void> {
    const nonce = newNonce();
    const request = { nonce, command, redirects, flags: this.#flags, status: this.#status };
    if (frame.isTyped) this.filter.expectAlso(nonce);
    else this.filter.expect(nonce);
    const text = joinPieces(this.#dialect.frame(request, this.#promptNonce));
    const { channel } = this.#attached();
    const bundles = bundleLines(text).map((bundle) => Buffer.from(bundle, "latin1"));
    for (const [index, bundle] of bundles.entries()) {
      if (index > 0) await this.#untilTaken(frame);
      const isLast = index === bundles.length - 1;
      const stayHidden = !isLast || (this.#dialect.editsLines && !frame.isAsking);
      if (frame.isDone || !channel.typeUnseen(bundle, { keepUnread: index > 0, stayHidden })) return;
    }
    frame.isTyped = true;
  }

  /** One that edits lines waits for this after each mark. */
  #goOn(options: UnseenOptions): void {
    if (this.#dialect.editsLines) this.#attached().channel.typeUnseen(Buffer.from("\n"), options);
  }

  /** What was typed before was read. */
  async #untilTaken(frame: Frame): Promise<void> {
    const { channel } = this.#attached();
    for (let looks = 0; !frame.isDone && channel.hasUnreadInput(); looks += 1) {
      await (looks < QUICK_LOOKS ? new Promise(setImmediate) : sleep(FIRST_LOOK_MS));
    }
  }

  #onStart(): void {
    const { frame } = this;
    if (!frame || !this.#session) return;
    frame.hasStarted = true;
    frame.from = this.#session.endCursor;
    this.filter.isDropping = false;
    this.filter.isRunning = true;
    this.#addEarly();
    this.#goOn({});
    this.#session.kept.noteUnkept();
  }

  #onEndMark(mark: EndMark): void {
    const { frame } = this;
    if (!frame || !this.#session || frame.end) return;
    this.#onEnd?.();
    this.#addEarly();
    frame.end = mark;
    this.filter.isRunning = false;
    frame.to ??= this.#session.endCursor;
    frame.endedMs ??= performance.now();
    this.#flags = mark.flags;
    this.#status = mark.status ?? 0;
    this.#cwd = mark.cwd;
    this.filter.isDropping = this.#dialect.hasHooks(mark.flags) && !this.#mayHaveJobs(mark);
    this.#goOn({ stayHidden: true });
    this.#session.kept.noteUnkept();
    void this.#watchForPrompt(frame);
  }

  /** What hooks print cannot be told from what jobs print. A child alone may be the hook's. */
  #mayHaveJobs({ flags }: EndMark): boolean {
    const { channel } = this.#attached();
    return (this.#dialect.hasHadJobs(flags) && channel.markProcesses().children.length > 0) || channel.hasDetached();
  }

  #onPrompt(): void {
    const { frame } = this;
    this.#prompts.notePrompt();
    if (!frame) return;
    if (frame.end) this.#complete(frame);
    else {
      frame.isThrownBack = true;
      void this.#recover(frame);
    }
  }

  async #watchForPrompt(frame: Frame): Promise<void> {
    await sleep(PROMPT_MS);
    for (let pauseMs = FIRST_LOOK_MS; !frame.isDone; pauseMs = Math.min(2 * pauseMs, SLOWEST_LOOK_MS)) {
      if (this.isShellReading()) this.#complete(frame);
      else await sleep(pauseMs);
    }
  }

  /** A shell that reads, and has not told the end of its command, is asked for its state. */
  async #recover(frame: Frame): Promise<void> {
    if (frame.isAsking || frame.end || !frame.isTyped) return;
    const endedAt = this.#attached().endCursor;
    const { hasStarted } = frame;
    const giveUpMs = performance.now() + READS_WITHIN_MS;
    for (let looks = 0; !this.#isBack(frame); looks += 1) {
      await (looks < QUICK_LOOKS ? new Promise(setImmediate) : sleep(FIRST_LOOK_MS));
      if (frame.end || frame.isDone || frame.isAsking) return;
      // A prompt that came before the command has begun was not its end.
      if (frame.hasStarted !== hasStarted || performance.now() > giveUpMs) {
        frame.isThrownBack = false;
        return;
      }
    }
    // The look has taken what was printed before: it may have told the end.
    if (frame.end || frame.isDone || frame.isAsking) return;
    frame.isAsking = true;
    // A shell that was thrown back may edit lines itself until it is asked, and shows what is typed.
    this.filter.isDropping = true;
    frame.to = frame.isThrownBack ? endedAt : this.#attached().endCursor;
    frame.endedMs = performance.now();
    await this.#ask(frame);
  }

  /** More than once: a further Ctrl+C throws away what was typed. */
  async #ask(frame: Frame): Promise<void> {
    for (let asked = 0; asked < MOST_ASKS && !frame.end && !frame.isDone; asked += 1) {
      await this.#type(frame, undefined, "");
      const giveUpMs = performance.now() + ANSWER_MS;
      while (!frame.end && !frame.isDone && (performance.now() < giveUpMs || !this.isShellReading())) {
        await sleep(SLOWEST_LOOK_MS);
      }
    }
    // Nothing of ours can be run there any more, and whoever waits for an answer would wait for ever.
    if (!frame.end && !frame.isDone) await this.#attached().channel.signal("SIGKILL", "program");
  }

  /** A shell whose own `read` goes on after Ctrl+C reads, too. */
  #isBack(frame: Frame): boolean {
    const isReading = this.isShellReading();
    return isReading && (frame.isThrownBack || this.#prompts.isReadingLikePrompt());
  }

  /** The kernel says so: nothing typed is left to it. */
  isShellReading(): boolean {
    return this.#prompts.isShellReading();
  }

  #complete(frame: Frame): void {
    const session = this.#attached();
    this.filter.expectNone();
    this.filter.isDropping = false;
    frame.finish();
    const { end, to = session.endCursor } = frame;
    session.finishes.add({ exitCode: end?.status ?? null, cwd: this.#cwd, end: to });
    session.kept.noteUnkept();
  }

  #attached(): Session {
    if (this.#session) return this.#session;
    throw new ShellError("SHELL_NOT_READY", "The shell has no session yet. Open it with openShell.");
  }
}
