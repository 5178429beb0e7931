/** A persistent shell: directory, variables and functions stay from one command to the next. */
import type { EndReport } from "../linux/processes/kill-process-tree.ts";
import type { SessionService } from "../service/session-service.ts";
import { runCommand } from "../service/turn/simple-turns.ts";
import type { RunRequest } from "../service/turn/start-request.ts";
import type { CommandAnswer } from "../service/turn/turn-answer.ts";
import { RUN_IN_SHELL } from "./option-names.ts";
import { requireOptions } from "./require-options.ts";
import { ServiceSession } from "./service-session.ts";
import type { Session } from "./session.ts";

/** How to start a shell. */
export interface ShellOptions {
  /**
   * A name or a path: bash, zsh, dash or busybox ash. Default: the user's own shell if it is one of these, else bash.
   */
  readonly shell?: string;
  /**
   * Which of the user's files it reads first. "rc": those of an interactive shell, such as .bashrc; "login": also those
   * of a login, which often replace PATH. Default "none".
   */
  readonly startFiles?: "none" | "rc" | "login";
  readonly cwd?: string;
  /** Variables to add to the default environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a unique name. */
  readonly name?: string;
}

/** How to run a command in a shell. */
export interface ShellRunOptions {
  /** Interrupts the command after this time; the shell stays. Default: no limit. */
  readonly timeoutMs?: number;
  /** Stops the wait, never the command. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The input of the command instead of the terminal; null: no input. Default: the terminal. */
  readonly stdin?: string | null;
}

/** The result of a command in a shell, or its state so far. */
export type ShellResult = Omit<CommandAnswer, "isNew" | "former" | "isWithoutStartFiles" | "isDirectoryKnown">;

/** A shell that stays open between commands. */
export interface Shell {
  /** The terminal of the shell: answer a command that waits for input with `session.send`. */
  readonly session: Session;
  /**
   * Resolves when the command has ended or waits for input. A non-zero exit code is a result, not an error. Output of
   * more than 24 MB is shortened in the middle. Rejects with `SESSION_ENDED` if the shell has ended.
   */
  run(command: string, options?: ShellRunOptions): Promise<ShellResult>;
  /** Ends the shell and everything that was started in it. */
  close(): Promise<EndReport>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** About 24 MB. The answer of a host holds the output twice, and has a bound. */
const MOST_TOKENS = 6_000_000;

/** Starts a shell in `service` and waits until it is ready. */
export async function openServiceShell(service: SessionService, caller: string, options: ShellOptions): Promise<Shell> {
  const { name = `shell-${crypto.randomUUID().slice(0, 8)}`, startFiles = "none", ...rest } = options;
  let key: Pick<RunRequest, "shell" | "fresh"> = { shell: name, fresh: { startFiles, ...rest } };
  const run = async (command: string, given: ShellRunOptions = {}) => {
    requireOptions("run", given, RUN_IN_SHELL, 'Write, for example, run("make", { timeoutMs: 60000 }).');
    const { timeoutMs, signal, stdin } = given;
    const {
      isNew: _new,
      former: _former,
      isWithoutStartFiles: _files,
      isDirectoryKnown: _known,
      ...result
    } = await runCommand(service, {
      command,
      ...key,
      caller,
      timeoutMs,
      stdin,
      maxTokens: MOST_TOKENS,
      ...(signal ? { signal } : {}),
    });
    return result;
  };
  const { id } = await run(":");
  // By its name, a shell that has ended would be replaced silently.
  key = { shell: id };
  const session = new ServiceSession(service, { id, name }, { caller, hasReplied: true });
  const close = () => session.close();
  return { session, run, close, [Symbol.asyncDispose]: async () => void (await close()) };
}
