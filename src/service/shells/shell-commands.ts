/** Commands of callers in shells: started, followed, and left running when no caller waits. */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionLimits } from "../../base/session-limits.ts";
import { commandLogOf } from "../../session/command-log.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { RunResult } from "../../shell/run-result.ts";
import type { Shell } from "../../shell/shell.ts";
import type { Asker } from "../owners/asker.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import type { RunRequest } from "../turn/start-request.ts";
import type { CommandAnswer, FormerShell } from "../turn/turn-answer.ts";
import { commandRuns } from "./shell-errors.ts";

/** The shell for a command, and what to report about it. */
export interface FoundShell {
  readonly shell: Shell;
  readonly isNew: boolean;
  readonly former: FormerShell | null;
  readonly isWithoutStartFiles: boolean;
}

/** A command, and who asks for it. */
export interface CommandRequest extends RunRequest {
  readonly asker: Asker;
  /** The most that a new shell may do. */
  readonly within: SandboxRequest | undefined;
  readonly limits: SessionLimits | undefined;
  /** Ends the wait, never the command. */
  readonly signal: AbortSignal;
}

interface TypedRequest extends CommandRequest {
  /** As the caller wrote it, without what limpet puts before it. */
  readonly typedCommand: string;
}

export class ShellCommands {
  readonly #sandboxes: Sandboxes;
  /**
   * Shells whose command still runs without a waiting caller. The next command would wait for somebody to answer it.
   */
  readonly #left = new WeakSet<Shell>();
  /** Who got the last result of a shell, and with which directory. */
  readonly #reported = new WeakMap<Shell, { readonly caller: string; readonly cwd: string }>();

  constructor(sandboxes: Sandboxes) {
    this.#sandboxes = sandboxes;
  }

  /** `admit` throws if nothing may be typed into the session now. */
  async run(found: FoundShell, request: TypedRequest, admit: (session: Session) => void): Promise<CommandAnswer> {
    const { shell, ...remarks } = found;
    const log = commandLogOf(shell.session);
    if (this.#left.has(shell)) await this.#requireFree(shell);
    admit(shell.session);
    this.#sandboxes.beforeAct(shell.session);
    const { size } = shell.session;
    if (request.cols !== undefined && request.cols !== size.cols) shell.session.resize({ ...size, cols: request.cols });
    const { timeoutMs, waitMs, maxTokens, fold, tag, stdin, signal } = request;
    const startedMs = performance.now();
    let hasStarted = false;
    try {
      const result = await shell.run(request.command, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(waitMs === undefined ? {} : { deadlineMs: waitMs }),
        ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        ...(fold === undefined ? {} : { fold }),
        ...(tag === undefined ? {} : { tag }),
        ...(stdin === undefined ? {} : { stdin }),
        signal,
        onStarted: () => {
          hasStarted = true;
          const cwd = request.cwd ?? internalsOf(shell.session).finishes.directory ?? shell.session.cwd;
          const { typedCommand, asker } = request;
          log.start({ command: typedCommand, caller: asker.owner.caller, cwd, from: shell.session.endCursor });
        },
      });
      if (result.isRunning) this.#left.add(shell);
      if (result.isRunning && result.waitingFor === null) this.#keepLimit(shell, timeoutMs, startedMs);
      return { ...result, ...remarks, isDirectoryKnown: this.#report(shell, request.asker.owner.caller, result) };
    } catch (error) {
      // The command runs, but no call waits for it.
      if (hasStarted && (await shell.state()).isBusy) {
        this.#left.add(shell);
        this.#keepLimit(shell, timeoutMs, startedMs);
      }
      throw error;
    }
  }

  /**
   * Whether the caller already knows the shell's directory. False if the shell is not in the directory where it
   * started: agents that share a caller do not see each other's results.
   */
  #report(shell: Shell, caller: string, { isRunning, cwd }: RunResult): boolean {
    const last = this.#reported.get(shell);
    if (!isRunning) this.#reported.set(shell, { caller, cwd });
    return last?.caller === caller && last.cwd === cwd && cwd === shell.session.cwd;
  }

  /** Enforces the time limit of a command whose caller has stopped waiting. */
  #keepLimit(shell: Shell, timeoutMs: number | undefined, startedMs: number): void {
    if (timeoutMs === undefined) return;
    const leftMs = Math.max(1, Math.ceil(timeoutMs - (performance.now() - startedMs)));
    const isAsking = ({ isRunning, waitingFor }: RunResult) => isRunning && waitingFor !== null;
    void shell.wait({ timeoutMs: leftMs }).then(
      // After an answer to the command, its time limit no longer applies.
      (result) => (isAsking(result) ? undefined : this.#left.delete(shell)),
      () => undefined,
    );
  }

  async #requireFree(shell: Shell): Promise<void> {
    const { isBusy } = await shell.state();
    if (!isBusy) {
      this.#left.delete(shell);
      return;
    }
    throw commandRuns(shell.session);
  }
}
