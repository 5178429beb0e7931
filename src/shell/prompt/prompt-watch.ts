/** Gathers the facts from which `judge-prompt.ts` decides whether the shell is at its prompt. */

import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { withTimeout } from "../../base/async/with-timeout.ts";
import type { Cursor } from "../../base/cursor.ts";
import type { TerminalObservation } from "../../probe/observe-terminal.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { Probe } from "../../transport/probe.ts";
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
import { unfinishedLine } from "./unfinished-line.ts";

const INTERRUPT = 0x03;
const LINE_FEED = 0x0a;
const LINE_ENDS: readonly number[] = [LINE_FEED, 0x0d];
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
  /** A line was typed since the shell was last seen at its prompt: it may still run. */
  #hasTypedSince = false;
  #unfinishedLine = "";
  /** When the last command ended. */
  #endMs = Number.NEGATIVE_INFINITY;
  #prompted: Deferred<void> | undefined;

  constructor(dialect: Dialect, filter: FrameFilter) {
    this.#dialect = dialect;
    this.#filter = filter;
  }

  attach(session: Session): void {
    this.#session = session;
    internalsOf(session).input.onAnyTyped(({ bytes }) => {
      // Outside line mode a program receives every byte, and no line stays open.
      const isCanonical = session.terminalMode?.isCanonical === true;
      this.#unfinishedLine = isCanonical ? unfinishedLine(this.#unfinishedLine, bytes) : "";
      if (LINE_ENDS.some((end) => bytes.includes(end))) this.#hasTypedSince = true;
    });
    session.onTyped(({ bytes, cursor }) => {
      if (bytes.includes(INTERRUPT)) this.noteInterrupt();
      else if (LINE_ENDS.some((end) => bytes.includes(end))) this.#typedAt = cursor;
    });
  }

  /** The line that someone has typed without Enter; empty if there is none. */
  get unfinishedLine(): string {
    return this.#unfinishedLine;
  }

  /** Call when a command has ended. `hasHooks`: the user's prompt hooks run before the prompt. */
  noteEnd({ hasHooks }: { readonly hasHooks: boolean }): void {
    this.#lastReport = { kind: "end", hasHooks };
    this.#endMs = performance.now();
  }

  /**
   * Call while the shell does not read: what was typed while the command ran may have gone to a program, or is still
   * there for the shell.
   */
  peekTyped(): void {
    if (!this.#hasTypedSince && this.#unfinishedLine === "") return;
    const unread = this.#session ? probeOf(this.#session).peekInput() : Buffer.alloc(0);
    const lastEnd = Math.max(unread.lastIndexOf(LINE_FEED), unread.lastIndexOf(0));
    this.#hasTypedSince = lastEnd >= 0;
    this.#unfinishedLine = unread.toString("utf8", lastEnd + 1);
  }

  /** Call when our prompt appeared. `isCertain`: only the shell can have printed it. */
  notePrompt({ isCertain }: { readonly isCertain: boolean }): void {
    this.#lastReport = { kind: "prompt", isCertain };
    this.#promptMs = performance.now();
    this.#promptAt = this.#session?.endCursor ?? 0;
    this.#prompted?.resolve();
    this.#prompted = undefined;
  }

  /** Resolves when our prompt follows the end of the last command, or after `ms`. */
  async untilPrompted(ms: number): Promise<void> {
    if (this.#lastReport.kind === "prompt") return;
    this.#prompted ??= deferred<void>();
    await withTimeout(ms, this.#prompted.promise);
  }

  /** Ctrl+C discards an unfinished line. */
  noteInterrupt(): void {
    this.#unfinishedLine = "";
    this.#typedAt = undefined;
  }

  /** Call when the shell was seen at its prompt. */
  confirm({ promptAddress }: PromptVerdict): void {
    this.#promptAddress = promptAddress ?? this.#promptAddress;
    this.#hasTypedSince = false;
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
      hasTypedSince: this.#hasTypedSince,
      hasTyped: this.#hasTyped(),
      hasUnfinishedLine: this.#unfinishedLine !== "",
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
      hasRival: hasRival(probe),
      promptAgeMs: performance.now() - this.#promptMs,
      hasTyped: this.#hasTyped(),
      hasUnfinishedLine: this.#unfinishedLine !== "",
      queuedInputBytes: session.queuedInputBytes,
      hasUnreadInput: probe.hasUnreadInput(),
      isShellInForeground: probe.isProgramInForeground(),
      isCanonical: probe.terminalMode()?.isCanonical === true,
    });
  }

  #hasTyped(): boolean {
    const lastInputMs = this.#session ? internalsOf(this.#session).lastInputMs : 0;
    return this.#hasTypedSince || lastInputMs >= Math.min(this.#promptMs, this.#endMs);
  }

  /** Read before the other facts, because the observation may read a prompt. */
  #observe(): ReadFacts {
    const read = this.#observeShell();
    return {
      read,
      promptAddress: this.#promptAddress,
      hasPrompted: this.#promptMs !== Number.NEGATIVE_INFINITY,
      editsLines: this.#dialect.editsLines,
      hasRival: this.#session !== undefined && hasRival(probeOf(this.#session)),
    };
  }

  #observeShell(): ShellRead | undefined {
    const session = this.#session;
    const observation = session && probeOf(session).observe();
    return observation && shellRead(observation, session.pid);
  }
}

/** Another process waits for the input of the terminal, too. */
function hasRival(probe: Probe): boolean {
  return probe.rivals().some(({ isReading }) => isReading);
}

/** Pure: undefined unless the shell itself waits for input, has read everything that was typed, and nothing arrives. */
function shellRead(observation: TerminalObservation, pid: number | null): ShellRead | undefined {
  const { reader, mode, hasUnreadInput, isArriving = false } = observation;
  if (typeof reader === "string" || !mode || hasUnreadInput || isArriving) return undefined;
  if (pid !== null && reader.pid !== pid) return undefined;
  return {
    address: reader.syscall?.split(" ", ADDRESS_FIELDS).join(" "),
    isPlainRead: reader.call === "read",
    hasTimeout: reader.timeoutMs !== undefined,
    isCanonical: mode.isCanonical,
  };
}
