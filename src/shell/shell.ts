/** A shell that stays open: each command has a structured result, and its programs have a real terminal. */
import type { Cursor } from "../base/cursor.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { EndReport } from "../linux/processes/kill-process-tree.ts";
import type { CloseOptions } from "../session/lifetime.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { RunningProcess } from "../transport/probe.ts";
import { type CallDeadline, checkTimes, leftMs, startDeadline } from "./call-deadline.ts";
import { checkCommand } from "./check-command.ts";
import { CommandQueue } from "./command-queue.ts";
import { CommandStreams } from "./command-streams.ts";
import { endCommand, interrupt } from "./end-command.ts";
import type { Frame } from "./frame/frame.ts";
import type { Framer } from "./frame/framer.ts";
import { probeOf } from "./probe-of.ts";
import type { FollowOptions, RunOptions } from "./run-options.ts";
import { type RunResult, readRunResult } from "./run-result.ts";
import { type BusyReason, shellBusyError } from "./shell-busy-error.ts";
import { streamOutput } from "./stream-output.ts";
import { type CommandWaitResult, waitForCommand } from "./wait-for-command.ts";

/** What a shell is doing. */
export interface ShellState {
  /** The directory at the end of the last command. */
  readonly cwd: string;
  /** A command is running. */
  readonly isBusy: boolean;
  /** All live processes that were started in it, including those of the running command. */
  readonly jobs: readonly RunningProcess[];
  /** The shell has ended, and its state is lost. */
  readonly isGone: boolean;
}

interface Current {
  readonly frame: Frame;
  readonly streams: CommandStreams;
  readonly splitStderr: boolean;
  readonly backgroundFrom: Cursor;
}

/** A shell that runs commands. Created by `openShell`. */
export class Shell {
  /** The shell's session: everything printed in it can be read, searched and waited for there. */
  readonly session: Session;
  readonly #framer: Framer;
  readonly #queue = new CommandQueue();
  #current: Current | undefined;
  #isWatching = false;
  #backgroundFrom: Cursor;

  constructor(session: Session, framer: Framer) {
    this.session = session;
    this.#framer = framer;
    this.#backgroundFrom = session.endCursor;
  }

  /**
   * Runs a command as if it were typed. Resolves when the command has ended, when a program in it waits for input (then
   * it is still running), or when the shell itself has ended.
   */
  async run(command: string, options: RunOptions = {}): Promise<RunResult> {
    const text = checkCommand(command);
    checkTimes(options);
    if (options.onBusy === "refuse" && this.#queue.isBusy) throw this.#busy("running");
    const deadline = startDeadline(options);
    await this.#acquire(deadline, options.signal);
    const current = await this.#start(text, deadline, options);
    options.onStarted?.();
    return await this.#follow(current, deadline, options);
  }

  /** Waits for the running command, or returns the result of the last one. */
  async wait(options: FollowOptions = {}): Promise<RunResult> {
    checkTimes(options);
    if (this.#current) return await this.#follow(this.#current, startDeadline(options), options);
    throw new LimpetError("SHELL_IDLE", "No command has run in this shell yet. Call run first.");
  }

  /** Types into the running program. */
  async write(input: string | Uint8Array): Promise<void> {
    await this.session.write(input);
  }

  /** Sends Ctrl+C to the foreground program, in any terminal mode. */
  async interrupt(): Promise<void> {
    await interrupt(this.session, this.#framer);
  }

  async state(): Promise<ShellState> {
    const { exit, pid } = this.session;
    return {
      cwd: this.#framer.cwd,
      isBusy: this.#framer.frame !== undefined,
      jobs: (await probeOf(this.session).running()).filter((each) => each.pid !== pid),
      isGone: exit !== undefined,
    };
  }

  /** Ends the shell and everything that was started in it. Its output stays readable in `session`. */
  async close(options: CloseOptions = {}): Promise<EndReport> {
    const report = await this.session.close(options);
    await this.#current?.streams.close();
    return report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await this.session.discard();
  }

  async #acquire(deadline: CallDeadline, signal: AbortSignal | undefined): Promise<void> {
    const error = () => this.#busy("running");
    const limit = deadline.limitMs === Number.POSITIVE_INFINITY ? undefined : { ms: leftMs(deadline), error };
    const acquired = this.#queue.acquire({ signal, limit });
    void this.#watchForQuestion();
    await acquired;
  }

  /**
   * Rejects queued calls when the running command waits for input: the caller that could answer it may itself be
   * queued, and would wait forever.
   */
  async #watchForQuestion(): Promise<void> {
    const current = this.#current;
    if (this.#isWatching || !current || current.frame.isDone || !this.#queue.hasWaiting) return;
    this.#isWatching = true;
    const reason = await this.#wait(current.frame, startDeadline({}), undefined).catch(() => "over" as const);
    if (reason !== "over" && reason !== "taken") this.#queue.rejectWaiting(() => this.#busy("asking"));
    this.#isWatching = false;
    // The next command may already run, with other calls queued.
    if (this.#current !== current) void this.#watchForQuestion();
  }

  async #start(text: string, deadline: CallDeadline, options: RunOptions): Promise<Current> {
    const { stdin, splitStderr = false, signal, onBusy } = options;
    let streams: CommandStreams | undefined;
    try {
      this.#requireAlive();
      const onStderr = (bytes: Uint8Array) => this.#framer.addStderr(bytes);
      const { fileRoots } = internalsOf(this.session).channel;
      const opened = await CommandStreams.open({ stdin, splitStderr, fileRoots }, onStderr);
      streams = opened;
      const onEnd = () => opened.drain();
      const promptWait = { untilMs: deadline.startedMs + deadline.limitMs, signal, onBusy };
      const frame = await this.#framer.start({ command: text, redirects: opened.redirects, onEnd, promptWait });
      const current = { frame, streams, splitStderr, backgroundFrom: this.#backgroundFrom };
      this.#current = current;
      void frame.done.then(() => this.#ended(current));
      void this.#watchForQuestion();
      return current;
    } catch (error) {
      await streams?.close();
      this.#queue.release();
      throw error;
    }
  }

  #ended({ frame, streams }: Current): void {
    this.#backgroundFrom = frame.to ?? this.session.endCursor;
    streams.releaseStderr();
    void streams.commandEnded();
    this.#queue.release();
  }

  async #follow(current: Current, deadline: CallDeadline, options: FollowOptions): Promise<RunResult> {
    const stop = options.onOutput && streamOutput(this.session, current.frame, options.onOutput);
    let timedOut = false;
    let waitingFor: RunResult["waitingFor"] = null;
    try {
      const reason = await this.#wait(current.frame, deadline, options.signal);
      if (reason === "taken") throw this.#busy("taken");
      if (current.frame.isDone) this.#noteFinishKnown();
      if (reason === "late" && deadline.limitMs === options.timeoutMs) {
        timedOut = true;
        await endCommand(this.session, this.#framer, current.frame);
      } else if (reason !== "over" && reason !== "late") waitingFor = reason;
    } finally {
      await stop?.();
    }
    const { splitStderr, backgroundFrom, frame } = current;
    const { maxOutputTokens, fold = false, tag } = options;
    const cwd = frame.end?.cwd ?? this.#framer.cwd;
    return await readRunResult(this.session, {
      frame,
      waitingFor,
      timedOut,
      maxOutputTokens,
      fold,
      tag,
      splitStderr,
      backgroundFrom,
      cwd,
    });
  }

  /** The result reports the finish, so a later wait on the session object does not report it again. */
  #noteFinishKnown(): void {
    const { position, finishes } = internalsOf(this.session);
    position.learnFinishes(finishes.count);
  }

  #wait(frame: Frame, deadline: CallDeadline, signal: AbortSignal | undefined): Promise<CommandWaitResult> {
    return waitForCommand(frame, { session: this.session, framer: this.#framer, deadline, signal });
  }

  #requireAlive(): void {
    if (!this.session.exit) return;
    throw new LimpetError("SESSION_ENDED", "The shell has ended and its state is lost. Open a new shell.");
  }

  #busy(reason: BusyReason): LimpetError {
    return shellBusyError(reason, this.session.id);
  }
}
