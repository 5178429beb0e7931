/**
 * Types commands into a shell and hears where they begin and end.
 *
 * The end mark comes right after the command, the prompt when the shell is ready again. A command that was aborted, by Ctrl+C
 * or by an error that throws the shell back, has no end mark: then the prompt is its end, and the shell is asked for the rest.
 * A prompt can be lost, too (a hook has another one, stderr is a file): then it is the kernel who says that the shell reads.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { SHELL_ANSWER_MS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { withTimeout } from "../base/with-timeout.ts";
import type { Session } from "../session/session.ts";
import { decideOutputMode, type OutputMode } from "./decide-output-mode.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { EarlyStderr } from "./early-stderr.ts";
import { Frame } from "./frame.ts";
import { FrameFilter } from "./frame-filter.ts";
import { QUESTION, TYPING } from "./frame-state.ts";
import { FrameTyping, type TypedRequest } from "./frame-typing.ts";
import { type EndMark, type Mark, newNonce } from "./mark.ts";
import { probeOf } from "./probe-of.ts";
import { type PromptPatience, untilAtPrompt } from "./prompt-patience.ts";
import { PromptWatch } from "./prompt-watch.ts";
import { recover } from "./recover.ts";

const INTERRUPT = 0x03;
/** A prompt follows its end mark within this; later the kernel is asked. */
const PROMPT_MS = 4;
const FIRST_LOOK_MS = 1;
const SLOWEST_LOOK_MS = 50;

export interface FrameOptions {
  readonly command: string | undefined;
  readonly redirects?: string;
  /** The command has ended: last chance to add to its output. */
  readonly onEnd?: () => void;
  /** How long to wait for the prompt. Undefined: whoever reads gets it. */
  readonly patience?: PromptPatience;
}

interface Attached {
  readonly session: Session;
  readonly typing: FrameTyping;
  readonly stderr: EarlyStderr;
}

const NOTHING_TOLD = { flags: "", status: 0 };

export class Framer {
  readonly filter: FrameFilter;
  readonly #dialect: Dialect;
  readonly #promptNonce = newNonce();
  readonly #prompts: PromptWatch;
  #attachedTo: Attached | undefined;
  #frame: Frame | undefined;
  /** What the command that runs was typed as. */
  #request: TypedRequest = { command: undefined, redirects: "", ...NOTHING_TOLD };
  #onEnd: (() => void) | undefined;
  /** By the last end mark. */
  #told: Pick<TypedRequest, "flags" | "status"> = NOTHING_TOLD;
  #cwd = "";
  /** What hooks of the prompt print after the last command is no output. */
  #dropsHookOutput = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.filter = new FrameFilter(
      { promptNonce: this.#promptNonce, noise: dialect.noise },
      { mode: () => this.#outputMode(), noteMark: (mark) => this.#noteMark(mark) },
    );
    this.#prompts = new PromptWatch(dialect, this.filter);
  }

  /** Before anything is typed. */
  attach(session: Session): void {
    const { kept } = session;
    const parts = {
      probe: probeOf(session),
      dialect: this.#dialect,
      filter: this.filter,
      promptNonce: this.#promptNonce,
    };
    this.#attachedTo = { session, typing: new FrameTyping(parts), stderr: new EarlyStderr(kept) };
    this.#prompts.attach(session);
    session.confideTyped(({ bytes }) => {
      if (bytes.includes(INTERRUPT)) this.#frame?.happen({ type: "interrupted" });
    });
    void session.exited.then(() => this.#frame?.happen({ type: "gone" }));
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
    const { session, typing } = this.#attached();
    if (patience) await this.#untilReady(session, patience);
    const state = command === undefined ? QUESTION : TYPING;
    const frame = new Frame(state, session.endCursor, probeOf(session).markProcesses());
    this.#frame = frame;
    this.#onEnd = onEnd;
    session.finishes.begin();
    this.#request = { command, redirects, ...this.#told };
    await typing.type(frame, this.#request);
    if (session.exit) frame.happen({ type: "gone" });
    return frame;
  }

  /** One that edits a line would show what is typed; once it was asked for its state, it does not. */
  async #untilReady(session: Session, patience: PromptPatience): Promise<void> {
    await untilAtPrompt(session, this.#prompts, patience);
    if (!this.#dialect.editsLines || !this.#prompts.isEditing()) return;
    const { status } = this.#told;
    const { done } = await this.begin({ command: undefined });
    await withTimeout(SHELL_ANSWER_MS, done);
    this.#told = { ...this.#told, status };
    session.finishes.markTold();
    await untilAtPrompt(session, this.#prompts, patience);
  }

  /** What came on a stderr of its own. */
  addStderr(bytes: Uint8Array): void {
    this.#attached().stderr.add(bytes, this.frame);
  }

  /** What was typed has begun, or the shell does not read it. */
  async untilBegun(): Promise<void> {
    if (this.frame) await this.#attached().typing.untilBegun(this.frame);
  }

  /** The shell was interrupted: if it reads without having told an end, it is asked. */
  expectAbort(): void {
    const { frame } = this;
    this.#prompts.forgetTyped();
    if (!frame) return;
    frame.happen({ type: "interrupted" });
    void this.#recover(frame);
  }

  /** Whether the shell is at its prompt, though neither an end nor a prompt of ours came: then it is asked. */
  noticeAbort(frame: Frame): boolean {
    // Before its beginning nobody reads for it: Ctrl+C may have left half of our line, and the shell waits for the rest.
    if (!(frame.hasStarted ? this.#prompts.isReadingLinesAtPrompt() : this.isShellReading())) return false;
    void this.#recover(frame);
    return true;
  }

  /** The shell itself reads for its command, and not at its prompt. */
  isReadingForCommand(frame: Frame): boolean {
    if (!this.isShellReading() || this.noticeAbort(frame) || this.#prompts.isReadingLikePrompt()) return false;
    // Asked last: the look has taken what was printed before, and that may have told the end.
    return frame.isAtWork && frame.hasStarted;
  }

  /** The one place where it is decided what happens to output. */
  #outputMode(): OutputMode {
    const { editsLines } = this.#dialect;
    return decideOutputMode(this.#frame?.state, { editsLines, dropsHookOutput: this.#dropsHookOutput });
  }

  /** At the position of the mark: the output ends and begins here. Returns what to do after the chunk. */
  #noteMark(mark: Mark): (() => void) | undefined {
    switch (mark.kind) {
      case "start":
        return this.#noteStart();
      case "end":
        return this.#noteEnd(mark.end);
      case "prompt":
        return this.#notePrompt();
    }
  }

  #noteStart(): (() => void) | undefined {
    const { session, typing, stderr } = this.#attached();
    if (!this.frame?.start(session.endCursor)) return undefined;
    stderr.release();
    session.kept.noteUnkept();
    return () => typing.goOn({});
  }

  #noteEnd(mark: EndMark): (() => void) | undefined {
    const { frame } = this;
    const { session, typing, stderr } = this.#attached();
    if (!frame?.happen({ type: "endMark", mark })) return undefined;
    stderr.release();
    this.#onEnd?.();
    frame.closeOutput(session.endCursor);
    this.#told = { flags: mark.flags, status: mark.status ?? 0 };
    this.#cwd = mark.cwd;
    const hasHooks = this.#dialect.hasHooks(mark.flags);
    this.#prompts.noteEnd({ hasHooks });
    this.#dropsHookOutput = hasHooks && !this.#mayHaveJobs(mark);
    session.kept.noteUnkept();
    return () => {
      typing.goOn({ stayHidden: true });
      void this.#watchForPrompt(frame);
    };
  }

  #notePrompt(): (() => void) | undefined {
    const { frame } = this;
    const { session } = this.#attached();
    this.#prompts.notePrompt({ isCertain: frame?.end !== undefined && !this.#dialect.hasHooks(this.#told.flags) });
    if (!frame) return undefined;
    if (frame.end) {
      this.#complete(frame);
      return undefined;
    }
    frame.happen({ type: "prompt", at: session.endCursor });
    return () => void this.#recover(frame);
  }

  /** What hooks print cannot be told from what jobs print. A child alone may be the hook's. */
  #mayHaveJobs({ flags }: EndMark): boolean {
    const probe = probeOf(this.#attached().session);
    return (this.#dialect.hasHadJobs(flags) && probe.markProcesses().children.length > 0) || probe.hasDetached();
  }

  async #watchForPrompt(frame: Frame): Promise<void> {
    await sleep(PROMPT_MS);
    for (let pauseMs = FIRST_LOOK_MS; !frame.isDone; pauseMs = Math.min(2 * pauseMs, SLOWEST_LOOK_MS)) {
      if (this.isShellReading()) this.#complete(frame);
      else await sleep(pauseMs);
    }
  }

  async #recover(frame: Frame): Promise<void> {
    const { session, typing } = this.#attached();
    const request = this.#request;
    await recover(frame, {
      session,
      prompts: this.#prompts,
      again: () => typing.type(frame, request),
      ask: () => typing.ask(frame, this.#told),
    });
  }

  /** The kernel says so: nothing typed is left to it. */
  isShellReading(): boolean {
    return this.#prompts.isShellReading();
  }

  #complete(frame: Frame): void {
    const { session } = this.#attached();
    // The look that found the shell reading may have taken its prompt, too.
    if (!frame.happen({ type: "prompt", at: session.endCursor })) return;
    const { end, to = session.endCursor } = frame;
    session.finishes.add({ exitCode: end?.status ?? null, cwd: this.#cwd, end: to });
    session.kept.noteUnkept();
  }

  #attached(): Attached {
    if (this.#attachedTo) return this.#attachedTo;
    throw new LimpetError("SHELL_NOT_READY", "The shell has no session yet. Open it with openShell.");
  }
}
