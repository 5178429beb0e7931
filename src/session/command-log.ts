/**
 * The commands that were run in a prepared shell. People need the log, because agents' commands are typed without an
 * echo.
 */
import type { Cursor } from "../base/cursor.ts";
import { MAX_LOGGED_COMMAND_CHARS, MAX_LOGGED_COMMANDS } from "../base/limits.ts";
import type { Finish } from "./finishes.ts";
import type { Session } from "./session.ts";
import { internalsOf } from "./session-internals.ts";

/** A command that was run in a shell. */
export interface LoggedCommand {
  /** Counts from 1 in each shell. */
  readonly number: number;
  /** The first 4,000 characters of the command. */
  readonly command: string;
  /** Who ran it. */
  readonly caller: string;
  /** The directory in which it started. */
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The range of its output in the session's output; `to` is null while it runs. */
  readonly from: Cursor;
  readonly to: Cursor | null;
  /** Null while the command runs, and if its shell ended with it or did not report its end. */
  readonly durationMs: number | null;
  readonly exitCode: number | null;
}

type StartedCommand = Pick<LoggedCommand, "command" | "caller" | "cwd" | "from">;

export class CommandLog {
  readonly #entries: LoggedCommand[] = [];
  readonly #listeners = new Set<(entry: LoggedCommand) => void>();
  #count = 0;
  #startedMs = 0;

  /** Calls `listener` with each command when it starts and when it finishes. */
  onChanged(listener: (entry: LoggedCommand) => void): void {
    this.#listeners.add(listener);
  }

  /** Fills an empty log with the entries of another process, oldest first. */
  restore(entries: readonly LoggedCommand[]): void {
    this.#entries.push(...entries.slice(-MAX_LOGGED_COMMANDS));
    this.#count = this.#entries.at(-1)?.number ?? 0;
  }

  start({ command, ...started }: StartedCommand): void {
    this.#count += 1;
    this.#startedMs = performance.now();
    const open = { startedAt: Date.now(), to: null, durationMs: null, exitCode: null };
    const shown = command.slice(0, MAX_LOGGED_COMMAND_CHARS);
    const entry = { number: this.#count, command: shown, ...started, ...open };
    this.#entries.push(entry);
    if (this.#entries.length > MAX_LOGGED_COMMANDS) this.#entries.shift();
    this.#announce(entry);
  }

  finish({ exitCode, end }: Finish): void {
    const last = this.#entries.at(-1);
    // A finish without a start belongs to a command that a person typed.
    if (!last || last.to !== null) return;
    const durationMs = Math.round(performance.now() - this.#startedMs);
    const entry = { ...last, to: end, durationMs, exitCode };
    this.#entries[this.#entries.length - 1] = entry;
    this.#announce(entry);
  }

  /** Oldest first. */
  get entries(): readonly LoggedCommand[] {
    return this.#entries;
  }

  /** The command that runs now. */
  get current(): LoggedCommand | undefined {
    const last = this.#entries.at(-1);
    return last?.to === null ? last : undefined;
  }

  #announce(entry: LoggedCommand): void {
    for (const listener of this.#listeners) listener(entry);
  }
}

const logs = new WeakMap<Session, CommandLog>();

/** The log of a session: always the same object. */
export function commandLogOf(session: Session): CommandLog {
  const known = logs.get(session);
  if (known) return known;
  const log = new CommandLog();
  logs.set(session, log);
  const { finishes, store } = internalsOf(session);
  finishes.onFinished((finish) => log.finish(finish));
  // Readers that follow the session also see commands without output.
  log.onChanged(() => store.changes.announce());
  return log;
}
