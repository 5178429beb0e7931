/**
 * Hands commands to a shell and reads from its marks where they start and end.
 *
 * The end mark follows the command. It counts once the kernel shows that the shell itself waits at the gate behind it;
 * then the gate is opened, and the prompt follows. A command that was aborted, by Ctrl+C or by an error that throws the
 * shell back to its prompt, has no end mark. Then the prompt is its end, and limpet asks the shell for the rest. A
 * prompt can also be lost (a hook sets another one, stderr is a file). Then an observation shows that the shell reads.
 */

import { withTimeout } from "../../base/async/with-timeout.ts";
import { SHELL_ANSWER_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { PromptWatch } from "../prompt/prompt-watch.ts";
import { type PromptWaitOptions, waitForPrompt } from "../prompt/wait-for-prompt.ts";
import { connectShell, type ShellParts } from "./connect-shell.ts";
import type { EndVerdict } from "./decide-end.ts";
import { decideOutputMode } from "./decide-output-mode.ts";
import { Frame } from "./frame.ts";
import { FrameFilter } from "./frame-filter.ts";
import { QUERY, TYPED } from "./frame-state.ts";
import type { TypedRequest } from "./frame-typing.ts";
import { type EndMark, type Mark, newNonce } from "./mark.ts";

const INTERRUPT = 0x03;

export interface FrameOptions {
  /** Undefined: no command is run, and the shell only reports its state. */
  readonly command: string | undefined;
  readonly redirects?: string;
  /** Called when an end mark appears: the last chance to add to the output of the command. */
  readonly onEnd?: () => void;
  /** How to wait for the prompt. Undefined: type the command at once, whichever program reads it. */
  readonly promptWait?: PromptWaitOptions;
}

/** What to do after the chunk that contained a mark was passed on. */
type AfterChunk = (() => void) | undefined;

export class Framer {
  readonly filter: FrameFilter;
  readonly #dialect: Dialect;
  readonly #promptNonce = newNonce();
  readonly prompts: PromptWatch;
  #attachedTo: ShellParts | undefined;
  #frame: Frame | undefined;
  /** The latest command, as it was typed. */
  #request: TypedRequest = { command: undefined, redirects: "", flags: "", status: 0 };
  #onEnd: (() => void) | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    const { editsLines, noise } = dialect;
    this.filter = new FrameFilter(
      { promptNonce: this.#promptNonce, noise },
      {
        mode: () => {
          const dropsHookOutput = this.#attachedTo?.ends.dropsHookOutput === true;
          return decideOutputMode(this.#frame?.state, { editsLines, dropsHookOutput });
        },
        noteMark: (mark) => this.#noteMark(mark),
      },
    );
    this.prompts = new PromptWatch(dialect, this.filter);
  }

  /** Call before anything is typed. Throws `NO_PROBE` or `RESOURCE_EXHAUSTED`. */
  attach(session: Session): void {
    const parts = connectShell(session, {
      dialect: this.#dialect,
      filter: this.filter,
      prompts: this.prompts,
      promptNonce: this.#promptNonce,
      request: () => this.#request,
      onArrival: (verdict) => this.#noteArrival(verdict),
    });
    const { files, rivals } = parts;
    this.#attachedTo = parts;
    this.prompts.attach(session);
    internalsOf(session).input.onAnyTyped(({ bytes }) => {
      if (!bytes.includes(INTERRUPT)) return;
      this.#revokeUnstarted();
      this.#frame?.dispatch({ type: "interrupted" });
      rivals.noteInterrupt(this.frame);
    });
    void session.exited.then(() => {
      files.close();
      this.#frame?.dispatch({ type: "gone" });
    });
  }

  /** The command that runs. */
  get frame(): Frame | undefined {
    return this.#frame?.isDone ? undefined : this.#frame;
  }

  /** In the kernel, the shell's own `read` looks like the wait of a server: only observing the shell finds it. */
  get pollsForInput(): boolean {
    return this.#dialect.editsLines;
  }

  /** The directory of the shell at the end of the last command. */
  get cwd(): string {
    return this.#attached().ends.cwd;
  }

  /** Throws `RESOURCE_EXHAUSTED`; with `promptWait`, also `SHELL_BUSY` or the reason of its signal. */
  async start({ command, redirects = "", onEnd, promptWait }: FrameOptions): Promise<Frame> {
    const { session, probe, ends, typing } = this.#attached();
    if (promptWait) await this.#waitForPrompt(session, promptWait);
    const frame = new Frame(command === undefined ? QUERY : TYPED, session.endCursor, probe.markProcesses());
    this.#request = { command, redirects, ...ends.reported };
    if (command === undefined) typing.ask(ends.reported);
    else typing.type(this.#request);
    this.#frame = frame;
    this.#onEnd = onEnd;
    const { abandonedModes, finishes } = internalsOf(session);
    abandonedModes.beforeLine({ shell: session.pid ?? 0, endedJobs: frame.processes.childFaults });
    finishes.start();
    if (session.exit) frame.dispatch({ type: "gone" });
    return frame;
  }

  /** A shell that edits its line would echo what is typed. After a query for its state it does not edit. */
  async #waitForPrompt(session: Session, options: PromptWaitOptions): Promise<void> {
    const { checkShell, rivals } = this.#attached();
    await rivals.settled();
    const wait = () => waitForPrompt(session, this.prompts, { ...options, onPoll: checkShell });
    await wait();
    if (!this.#dialect.editsLines || !this.prompts.observeEditing()) return;
    await withTimeout(SHELL_ANSWER_MS, (await this.start({ command: undefined })).done);
    await wait();
  }

  /** Adds what the command wrote to a separate stderr. */
  addStderr(bytes: Uint8Array): void {
    this.#attached().stderr.add(bytes, this.frame);
  }

  /** Call while the shell does not answer. */
  checkShell(): void {
    this.#attached().checkShell();
  }

  /** Call before a signal is sent in place of Ctrl+C, which discards what was typed. */
  discardTyped(): void {
    // The line of a revoked command runs nothing, and a shell that has read a part of it would wait for the rest.
    if (!(this.#revokeUnstarted() && this.#dialect.readsBytes)) this.#attached().probe.discardUnread();
  }

  /** Ctrl+C was sent: if the shell is back without an end mark, it is asked for its state. */
  noteInterrupt(): void {
    this.prompts.noteInterrupt();
    this.frame?.dispatch({ type: "interrupted" });
    this.#attached().rivals.noteInterrupt(this.frame);
    if (this.frame) this.recover(this.frame);
  }

  /** Asks the shell for its state as soon as it is back at its prompt. */
  recover(frame: Frame): void {
    void this.#attached().recovery.attempt(frame);
  }

  /** A command that has not started will not start. False if it has started. */
  #revokeUnstarted(): boolean {
    if (this.frame?.state.phase !== "typed") return false;
    this.#attached().files.revoke();
    return true;
  }

  /** Called at the position of the mark in the output. Must not observe the terminal. */
  #noteMark(mark: Mark): AfterChunk {
    if (mark.kind === "end") return this.#noteEnd(mark.end);
    return mark.kind === "start" ? this.#noteStart() : this.#notePrompt();
  }

  #noteStart(): AfterChunk {
    const { session, probe, store, stderr, gate } = this.#attached();
    if (!this.frame?.start(session.endCursor)) return undefined;
    stderr.release();
    store.noteActivity();
    return this.#dialect.editsLines ? () => gate.releaseStart(() => probe.showTyping()) : undefined;
  }

  #noteEnd(end: EndMark | undefined): AfterChunk {
    const { session, stderr, gate } = this.#attached();
    if (this.frame) {
      stderr.release();
      this.#onEnd?.();
    }
    gate.note({ end, at: session.endCursor });
    return () => gate.watch();
  }

  /** The shell waits behind the end mark. If that is lost or in doubt, the shell is asked again at its prompt. */
  #noteArrival(verdict: EndVerdict): void {
    const { files, probe, ends } = this.#attached();
    this.filter.settle();
    files.clear();
    if (this.#dialect.editsLines) probe.hideTyping();
    this.prompts.peekTyped();
    if (this.frame && typeof verdict === "object") ends.take(this.frame, verdict.end, verdict.at);
  }

  #notePrompt(): AfterChunk {
    const frame = this.#frame;
    const { session, ends } = this.#attached();
    this.prompts.notePrompt({ isCertain: frame?.end !== undefined && !ends.hasHooks });
    if (!frame?.dispatch({ type: "prompt", at: session.endCursor }) || frame.isDone) return undefined;
    return () => this.recover(frame);
  }

  #attached(): ShellParts {
    if (this.#attachedTo) return this.#attachedTo;
    throw new LimpetError("SHELL_NOT_READY", "The shell has no session yet. Open it with openShell.");
  }
}
