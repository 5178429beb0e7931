/** The commands that were run in a prepared shell, for people: agents' commands are typed without an echo. */
import type { Cursor } from "../base/cursor.ts";
import { MAX_LOGGED_COMMAND_CHARS, MAX_LOGGED_COMMANDS } from "../base/limits.ts";
import type { Finish } from "./finishes.ts";
import type { Session } from "./session.ts";
import { internalsOf } from "./session-internals.ts";

/** A command that was run in a shell. */
export interface LoggedCommand {
  /** Counts from 1 in each shell. */
  readonly number: number;
  /** The first 4,000 characters of it. */
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
  /** Null while it runs, and if its shell ended with it or did not report it. */
  readonly durationMs: number | null;
  readonly exitCode: number | null;
}

type Begun = Pick<LoggedCommand, "command" | "caller" | "cwd" | "from">;

export class CommandLog {
  readonly #entries: LoggedCommand[] = [];
  #count = 0;
  #startedMs = 0;

  begin({ command, ...begun }: Begun): void {
    this.#count += 1;
    this.#startedMs = performance.now();
    const open = { startedAt: Date.now(), to: null, durationMs: null, exitCode: null };
    this.#entries.push({ number: this.#count, command: command.slice(0, MAX_LOGGED_COMMAND_CHARS), ...begun, ...open });
    if (this.#entries.length > MAX_LOGGED_COMMANDS) this.#entries.shift();
  }

  finish({ exitCode, end }: Finish): void {
    const last = this.#entries.at(-1);
    // A finish without a beginning belongs to a command that a person typed.
    if (!last || last.to !== null) return;
    const durationMs = Math.round(performance.now() - this.#startedMs);
    this.#entries[this.#entries.length - 1] = { ...last, to: end, durationMs, exitCode };
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
}

const logs = new WeakMap<Session, CommandLog>();

/** The log of a session: always the same object. */
export function commandLogOf(session: Session): CommandLog {
  const known = logs.get(session);
  if (known) return known;
  const log = new CommandLog();
  logs.set(session, log);
  internalsOf(session).finishes.onFinished((finish) => log.finish(finish));
  return log;
}
