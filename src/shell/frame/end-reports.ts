/** Processes what a shell reports at the end of a command, and keeps it for the next command. */
import type { Cursor } from "../../base/cursor.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { probeOf } from "../probe-of.ts";
import type { PromptWatch } from "../prompt/prompt-watch.ts";
import { waitForRead } from "../prompt/wait-for-prompt.ts";
import type { Frame } from "./frame.ts";
import type { TypedRequest } from "./frame-typing.ts";
import type { EndMark } from "./mark.ts";

/** What the next command needs to know. */
export type Reported = Pick<TypedRequest, "flags" | "status">;

interface ReportParts {
  readonly session: Session;
  readonly dialect: Dialect;
  readonly prompts: PromptWatch;
}

export class EndReports {
  readonly #parts: ReportParts;
  #reported: Reported = { flags: "", status: 0 };
  #cwd = "";
  #dropsHookOutput = false;

  constructor(parts: ReportParts) {
    this.#parts = parts;
  }

  get reported(): Reported {
    return this.#reported;
  }

  /** The directory of the shell at the end of the last command. */
  get cwd(): string {
    return this.#cwd;
  }

  /** Hooks of the user run before the next prompt. */
  get hasHooks(): boolean {
    return this.#parts.dialect.hasHooks(this.#reported.flags);
  }

  /** Output of prompt hooks after the last command is dropped. */
  get dropsHookOutput(): boolean {
    return this.#dropsHookOutput;
  }

  /** Takes over an end that the shell itself has reported. The output ends at `at`. */
  take(frame: Frame, end: EndMark, at: Cursor): void {
    const { session, prompts } = this.#parts;
    const internals = internalsOf(session);
    const { store, finishes } = internals;
    frame.dispatch({ type: "endMark", mark: end });
    frame.closeOutput(at);
    // A program may have died on the alternate screen. That must not hide the output of the next command.
    internals.resetModes();
    // A query in between has no exit code of its own.
    this.#reported = { flags: end.flags, status: frame.isQuery ? this.#reported.status : (end.status ?? 0) };
    this.#cwd = end.cwd;
    prompts.noteEnd({ hasHooks: this.hasHooks });
    this.#dropsHookOutput = this.hasHooks && !this.#mayHaveJobs(end);
    // Without a prompt of ours, only an observation shows that the hooks have ended.
    if (this.#dropsHookOutput) void waitForRead(frame, prompts);
    if (frame.isQuery) finishes.ready();
    else finishes.add({ exitCode: end.status, cwd: end.cwd, end: frame.to ?? at, outOfMemory: frame.outOfMemory });
    store.noteActivity();
  }

  /** The end of a command whose exit code cannot be known. */
  takeUnknown(frame: Frame): void {
    const end = { status: null, hasRun: frame.hasStarted, flags: this.#reported.flags, cwd: this.#cwd };
    this.take(frame, end, frame.to ?? this.#parts.session.endCursor);
  }

  /** Output of jobs cannot be told from output of hooks. A child process alone may belong to a hook. */
  #mayHaveJobs({ flags }: EndMark): boolean {
    const probe = probeOf(this.#parts.session);
    const hasJobs = this.#parts.dialect.hasHadJobs(flags) && probe.markProcesses().children.length > 0;
    return hasJobs || probe.hasDetached();
  }
}
