/** Gathers the facts from which `judge-prompt.ts` decides whether the shell is at its prompt. */
import type { Cursor } from "../../base/cursor.ts";
import type { TerminalObservation } from "../../probe/observe-terminal.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { FrameFilter } from "../frame/frame-filter.ts";
import { probeOf } from "../probe-of.ts";
import {
  judgeFreshPrompt,
  judgePrompt,
  judgeRead,
  type PromptVerdict,
  type ReadFacts,
  type ReadVerdict,
  type ShellRead,
  type ShellReport,
} from "./judge-prompt.ts";
import { partialLineBytes } from "./partial-line.ts";

const INTERRUPT = 0x03;
const LINE_ENDS: readonly number[] = [0x0a, 0x0d];
/** Call number, descriptor, address, length. The fields after that vary between calls. */
const ADDRESS_FIELDS = 4;

export class PromptWatch {
  readonly #dialect: Dialect;
  readonly #filter: FrameFilter;
  #session: Session | undefined;
  #promptAddress: string | undefined;
  #promptAt: Cursor = 0;
  #promptMs = Number.NEGATIVE_INFINITY;
  #lastReport: ShellReport = { kind: "prompt", isCertain: false };
  /** The cursor of the last typed line. */
  #typedAt: Cursor | undefined;
  #partialLineBytes = 0;

  constructor(dialect: Dialect, filter: FrameFilter) {
    this.#dialect = dialect;
    this.#filter = filter;
  }

  attach(session: Session): void {
    this.#session = session;
    internalsOf(session).input.onAnyTyped(({ bytes }) => {
      this.#partialLineBytes = partialLineBytes(this.#partialLineBytes, bytes);
    });
    session.onTyped(({ bytes, cursor }) => {
      if (bytes.includes(INTERRUPT)) this.noteInterrupt();
      else if (LINE_ENDS.some((end) => bytes.includes(end))) this.#typedAt = cursor;
    });
  }

  /** Call when a command has ended. `hasHooks`: the user's prompt hooks run before the prompt. */
  noteEnd({ hasHooks }: { readonly hasHooks: boolean }): void {
    this.#lastReport = { kind: "end", hasHooks };
    this.#partialLineBytes = 0;
  }

  /** Call when our prompt appeared. `isCertain`: only the shell can have printed it. */
  notePrompt({ isCertain }: { readonly isCertain: boolean }): void {
    this.#lastReport = { kind: "prompt", isCertain };
    this.#partialLineBytes = 0;
    this.#promptMs = performance.now();
    this.#promptAt = this.#session?.endCursor ?? 0;
  }

  /** Ctrl+C discards an unfinished line. */
  noteInterrupt(): void {
    this.#partialLineBytes = 0;
    this.#typedAt = undefined;
  }

  /** Remembers the address of a confirmed prompt. */
  confirm({ promptAddress }: PromptVerdict): void {
    this.#promptAddress = promptAddress ?? this.#promptAddress;
  }

  /** Whether a command may be typed. Observes the terminal unless the prompt is fresh; that reads pending output. */
  observePrompt(): PromptVerdict {
    const fresh = this.#judgeFresh();
    if (fresh.at === "prompt") return fresh;
    const facts = this.#observe();
    return judgePrompt({
      ...facts,
      lastReport: this.#lastReport,
      hasTypedLine: this.#typedAt !== undefined && this.#promptAt <= this.#typedAt,
      partialLineBytes: this.#partialLineBytes,
      queuedInputBytes: this.#session?.queuedInputBytes ?? 0,
      outputEndsLine: this.#filter.endsLine,
    });
  }

  /** What the shell reads for. Observes the terminal, which reads pending output. */
  observeRead(): ReadVerdict {
    return judgeRead(this.#observe());
  }

  /** The shell reads keys, as when it edits its line. Observes the terminal. */
  observeEditing(): boolean {
    return this.#observe().read?.isCanonical === false;
  }

  #judgeFresh(): PromptVerdict {
    const session = this.#session;
    if (!session) return { at: "unsure", why: "the shell has no session yet" };
    const probe = probeOf(session);
    return judgeFreshPrompt({
      lastReport: this.#lastReport,
      promptAddress: this.#promptAddress,
      editsLines: this.#dialect.editsLines,
      promptAgeMs: performance.now() - this.#promptMs,
      hasTyped: internalsOf(session).lastInputMs >= this.#promptMs,
      queuedInputBytes: session.queuedInputBytes,
      hasUnreadInput: probe.hasUnreadInput(),
      isShellInForeground: probe.isProgramInForeground(),
      isCanonical: probe.terminalMode()?.isCanonical === true,
    });
  }

  /** Read before the other facts, because the observation may read a prompt. */
  #observe(): ReadFacts {
    const read = this.#observeShell();
    return {
      read,
      promptAddress: this.#promptAddress,
      hasPrompted: this.#promptMs !== Number.NEGATIVE_INFINITY,
      editsLines: this.#dialect.editsLines,
    };
  }

  #observeShell(): ShellRead | undefined {
    const session = this.#session;
    const observation = session && probeOf(session).observe();
    return observation && shellRead(observation, session.pid);
  }
}

/** Pure: undefined unless the shell itself waits for input and has read everything that was typed. */
function shellRead({ reader, mode, hasUnreadInput }: TerminalObservation, pid: number | null): ShellRead | undefined {
  if (typeof reader === "string" || !mode || hasUnreadInput) return undefined;
  if (pid !== null && reader.pid !== pid) return undefined;
  return {
    address: reader.syscall?.split(" ", ADDRESS_FIELDS).join(" "),
    isPlainRead: reader.call === "read",
    isCanonical: mode.isCanonical,
  };
}
