/**
 * Types commands into a shell and reads from its marks where they start and end.
 *
 * The end mark follows the command, the prompt follows when the shell is ready again. A command that was aborted, by
 * Ctrl+C or by an error that throws the shell back to its prompt, has no end mark. Then the prompt is its end, and
 * limpet asks the shell for the rest. A prompt can also be lost (a hook sets another one, stderr is a file). Then an
 * observation shows that the shell reads.
 */
import { SHELL_ANSWER_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { withTimeout } from "../../base/with-timeout.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf, type SessionInternals } from "../../session/session-internals.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { probeOf } from "../probe-of.ts";
import type { ReadVerdict } from "../prompt/judge-prompt.ts";
import { PromptWatch } from "../prompt/prompt-watch.ts";
import { type PromptWaitOptions, waitForPrompt, waitForRead } from "../prompt/wait-for-prompt.ts";
import { decideOutputMode } from "./decide-output-mode.ts";
import { EarlyStderr } from "./early-stderr.ts";
import { Frame } from "./frame.ts";
import { FrameFilter } from "./frame-filter.ts";
import { QUERY, TYPING } from "./frame-state.ts";
import { FrameTyping, type TypedRequest } from "./frame-typing.ts";
import { type EndMark, type Mark, newNonce } from "./mark.ts";
import { Recovery } from "./recovery.ts";

const INTERRUPT = 0x03;

export interface FrameOptions {
  /** Undefined: no command is run, and the shell only reports its state. */
  readonly command: string | undefined;
  readonly redirects?: string;
  /** Called when the command has ended: the last chance to add to its output. */
  readonly onEnd?: () => void;
  /** How to wait for the prompt. Undefined: type the command at once, whichever program reads it. */
  readonly promptWait?: PromptWaitOptions;
}

interface Attached extends Pick<SessionInternals, "store" | "finishes"> {
  readonly session: Session;
  readonly typing: FrameTyping;
  readonly stderr: EarlyStderr;
  readonly recovery: Recovery;
}

/** What to do after the chunk that contained a mark was passed on. */
type AfterChunk = (() => void) | undefined;

const NOTHING_REPORTED = { flags: "", status: 0 };

export class Framer {
  readonly filter: FrameFilter;
  readonly #dialect: Dialect;
  readonly #promptNonce = newNonce();
  readonly #prompts: PromptWatch;
  #attachedTo: Attached | undefined;
  #frame: Frame | undefined;
  /** The latest command, as it was typed. */
  #request: TypedRequest = { command: undefined, redirects: "", ...NOTHING_REPORTED };
  #onEnd: (() => void) | undefined;
  /** The values of the last end mark. */
  #reported: Pick<TypedRequest, "flags" | "status"> = NOTHING_REPORTED;
  #cwd = "";
  /** Output of prompt hooks after the last command is dropped. */
  #dropsHookOutput = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    const { editsLines, noise } = dialect;
    this.filter = new FrameFilter(
      { promptNonce: this.#promptNonce, noise },
      {
        mode: () => decideOutputMode(this.#frame?.state, { editsLines, dropsHookOutput: this.#dropsHookOutput }),
        noteMark: (mark) => this.#noteMark(mark),
      },
    );
    this.#prompts = new PromptWatch(dialect, this.filter);
  }

  /** Call before anything is typed. Throws `NO_PROBE`. */
  attach(session: Session): void {
    const probe = probeOf(session);
    const typing = new FrameTyping({
      probe,
      dialect: this.#dialect,
      filter: this.filter,
      promptNonce: this.#promptNonce,
    });
    const recovery = new Recovery({
      session,
      prompts: this.#prompts,
      retype: (frame) => typing.type(frame, this.#request),
      ask: (frame) => typing.ask(frame, this.#reported),
    });
    const { store, finishes, input } = internalsOf(session);
    this.#attachedTo = { session, store, finishes, typing, stderr: new EarlyStderr(store), recovery };
    this.#prompts.attach(session);
    input.onAnyTyped(({ bytes }) => {
      if (bytes.includes(INTERRUPT)) this.#frame?.dispatch({ type: "interrupted" });
    });
    void session.exited.then(() => this.#frame?.dispatch({ type: "gone" }));
  }

  /** The command that runs. */
  get frame(): Frame | undefined {
    return this.#frame?.isDone ? undefined : this.#frame;
  }

  /**
   * To the kernel, the shell's own `read` looks like the wait of a server, so only an observation of the shell finds
   * it.
   */
  get pollsForInput(): boolean {
    return this.#dialect.editsLines;
  }

  /** The directory of the shell at the end of the last command. */
  get cwd(): string {
    return this.#cwd;
  }

  async begin({ command, redirects = "", onEnd, promptWait }: FrameOptions): Promise<Frame> {
    const { session, finishes, typing } = this.#attached();
    if (promptWait) await this.#waitForPrompt(session, promptWait);
    const state = command === undefined ? QUERY : TYPING;
    const frame = new Frame(state, session.endCursor, probeOf(session).markProcesses());
    this.#frame = frame;
    this.#onEnd = onEnd;
    finishes.begin();
    this.#request = { command, redirects, ...this.#reported };
    await typing.type(frame, this.#request);
    if (session.exit) frame.dispatch({ type: "gone" });
    return frame;
  }

  /** A shell that edits its line would echo what is typed. After a query for its state it does not edit. */
  async #waitForPrompt(session: Session, options: PromptWaitOptions): Promise<void> {
    await waitForPrompt(session, this.#prompts, options);
    if (!this.#dialect.editsLines || !this.#prompts.observeEditing()) return;
    const { status } = this.#reported;
    const { done } = await this.begin({ command: undefined });
    await withTimeout(SHELL_ANSWER_MS, done);
    this.#reported = { ...this.#reported, status };
    await waitForPrompt(session, this.#prompts, options);
  }

  /** Adds what the command wrote to a separate stderr. */
  addStderr(bytes: Uint8Array): void {
    this.#attached().stderr.add(bytes, this.frame);
  }

  /** Resolves when the shell has started what was typed, or if it does not read it. */
  async untilStarted(): Promise<void> {
    if (this.frame) await this.#attached().typing.untilStarted(this.frame);
  }

  /** What the shell reads for. Observes the terminal, which reads pending output and may find marks. */
  observeRead(): ReadVerdict {
    return this.#prompts.observeRead();
  }

  /** Ctrl+C was sent: if the shell is back without an end mark, it is asked for its state. */
  noteInterrupt(): void {
    this.#prompts.noteInterrupt();
    this.frame?.dispatch({ type: "interrupted" });
    if (this.frame) this.recover(this.frame);
  }

  /** Asks the shell for its state as soon as it is back at its prompt. */
  recover(frame: Frame): void {
    void this.#attached().recovery.attempt(frame);
  }

  /** Called at the position of the mark in the output. Must not observe the terminal. */
  #noteMark(mark: Mark): AfterChunk {
    switch (mark.kind) {
      case "start":
        return this.#noteStart();
      case "end":
        return this.#noteEnd(mark.end);
      case "prompt":
        return this.#notePrompt();
    }
  }

  #noteStart(): AfterChunk {
    const { session, store, typing, stderr } = this.#attached();
    if (!this.frame?.start(session.endCursor)) return undefined;
    stderr.release();
    store.noteActivity();
    return () => typing.resume({});
  }

  #noteEnd(mark: EndMark): AfterChunk {
    const { frame } = this;
    const { session, store, typing, stderr } = this.#attached();
    if (!frame?.dispatch({ type: "endMark", mark })) return undefined;
    stderr.release();
    this.#onEnd?.();
    frame.closeOutput(session.endCursor);
    this.#reported = { flags: mark.flags, status: mark.status ?? 0 };
    this.#cwd = mark.cwd;
    const hasHooks = this.#dialect.hasHooks(mark.flags);
    this.#prompts.noteEnd({ hasHooks });
    this.#dropsHookOutput = hasHooks && !this.#mayHaveJobs(mark);
    store.noteActivity();
    return () => {
      typing.resume({ stayHidden: true });
      void waitForRead(frame, this.#prompts).then(() => this.#complete(frame));
    };
  }

  /** Output of jobs and of hooks looks the same. A child on its own may belong to the hook. */
  #mayHaveJobs({ flags }: EndMark): boolean {
    const probe = probeOf(this.#attached().session);
    return (this.#dialect.hasHadJobs(flags) && probe.markProcesses().children.length > 0) || probe.hasDetached();
  }

  #notePrompt(): AfterChunk {
    const { frame } = this;
    this.#prompts.notePrompt({ isCertain: frame?.end !== undefined && !this.#dialect.hasHooks(this.#reported.flags) });
    if (!frame) return undefined;
    if (frame.end) {
      this.#complete(frame);
      return undefined;
    }
    frame.dispatch({ type: "prompt", at: this.#attached().session.endCursor });
    return () => this.recover(frame);
  }

  /** The end was reported, and the shell is ready again. */
  #complete(frame: Frame): void {
    const { session, store, finishes } = this.#attached();
    if (!frame.dispatch({ type: "prompt", at: session.endCursor })) return;
    const { end, to = session.endCursor } = frame;
    // A query is not a command.
    if (this.#request.command === undefined) finishes.ready();
    else finishes.add({ exitCode: end?.status ?? null, cwd: this.#cwd, end: to });
    store.noteActivity();
  }

  #attached(): Attached {
    if (this.#attachedTo) return this.#attachedTo;
    throw new LimpetError("SHELL_NOT_READY", "The shell has no session yet. Open it with openShell.");
  }
}
