/** Starts programs in a service: in this process or in a host. */

import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { SessionKey } from "../service/listing/session-name.ts";
import type { ListOptions, SessionSummary } from "../service/listing/session-summary.ts";
import type { SessionService } from "../service/session-service.ts";
import type { StartRequest } from "../service/turn/start-request.ts";
import { LIST, OPEN, OPEN_PROGRAM, OPEN_SHELL, RUN } from "./option-names.ts";
import { requireOptions, requireText } from "./require-options.ts";
import { type Command, type CommandResult, runCommand } from "./run-command.ts";
import { ServiceSession } from "./service-session.ts";
import type { Session } from "./session.ts";
import { openServiceShell, type Shell, type ShellOptions } from "./shell.ts";
import { startOf } from "./start-of.ts";

/** How to start a program. */
export interface OpenOptions extends Omit<StartRequest, "command" | "program" | "args" | "reuse" | "sandbox"> {
  /** Restricts the program and everything it starts. A word stands for `{ files }` alone. Default: no sandbox. */
  readonly sandbox?: SandboxRequest | SandboxRequest["files"] | "off" | undefined;
}

/** A program and its arguments, started without a shell. */
export interface ProgramOptions extends OpenOptions {
  readonly program: string;
  readonly args?: readonly string[];
}

/** How to run one command. */
export interface RunOptions extends Omit<OpenOptions, "name" | "answerQueries"> {
  /** Ends the command after this time. Default: no limit. */
  readonly timeoutMs?: number;
  /** Ends the command; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The input of the command. Default: no input, so that it cannot wait for any. Not with `tty: true`. */
  readonly input?: string | Uint8Array;
}

export class Terminals {
  readonly #service: SessionService;
  /** Unique, so that it has its own position in the output of each session. */
  readonly #caller: string = `library ${crypto.randomUUID()}`;

  constructor(service: SessionService) {
    this.#service = service;
  }

  async open(what: string | ProgramOptions, options: OpenOptions = {}): Promise<Session> {
    requireOptions("open", options, OPEN, 'Write, for example, open("npm run dev", { cwd: "app" }).');
    if (typeof what !== "string")
      requireOptions(
        "open",
        what,
        OPEN_PROGRAM,
        'Write open("npm run dev"), or open({ program: "vim", args: ["a.txt"] }).',
      );
    const given = typeof what === "string" ? { command: what } : { program: what.program, args: what.args };
    const start = { ...startOf(typeof what === "string" ? options : { ...what, ...options }), ...given };
    const { session } = await this.#service.turn({ caller: this.#caller, on: { kind: "start", start } });
    return new ServiceSession(this.#service, session, { caller: this.#caller });
  }

  async run(command: string, options: RunOptions = {}): Promise<CommandResult> {
    requireText("command", command, "Pass a command line, or use open({ program, args }).");
    requireOptions("run", options, RUN, 'Write, for example, run("make", { timeoutMs: 60000 }).');
    const given: Command = { command, options, caller: this.#caller };
    return await runCommand(this.#service, given);
  }

  async openShell(options: ShellOptions = {}): Promise<Shell> {
    requireOptions("openShell", options, OPEN_SHELL, 'Write, for example, openShell({ shell: "zsh" }).');
    return await openServiceShell(this.#service, this.#caller, options);
  }

  /** An existing session, by its id or name. */
  async session(key: SessionKey): Promise<Session> {
    const name = await this.#service.find(key);
    return new ServiceSession(this.#service, name, { caller: this.#caller });
  }

  async list(options: Partial<ListOptions> = {}): Promise<readonly SessionSummary[]> {
    requireOptions("list", options, LIST, "Write, for example, list({ ended: true }).");
    const { ended = false, all = false } = options;
    return await this.#service.list({ ended, all });
  }
}
