/**
 * Decides how long a program must have been silent before a verdict about it can be trusted. Collects the facts for
 * `judge-readiness.ts` from the session's output, its input and the processes. Remembers the prompts of each program.
 */
import { BoundedMap } from "../../../base/bounded-map.ts";
import type { OutputStore } from "../../../journal/output-store.ts";
import type { Activity } from "../../../linux/processes/read-activity.ts";
import { slowness } from "../../../linux/processor-load.ts";
import { type InputBasis, type InputVerdict, judgeQuery } from "../../../probe/judge-input-state.ts";
import { confirmAfterMs } from "../../../probe/probe-schedule.ts";
import { endsWithQuery, hasQuery, QUERY_TAIL_BYTES } from "../../../text/escape/terminal-queries.ts";
import type { TerminalModeTracker } from "../../modes/terminal-mode-tracker.ts";
import { activitySince, type Measured } from "./activity-since.ts";
import type { AnswerPace } from "./answer-pace.ts";
import { quietNeededMs, type ReadinessFacts, type ShownFacts } from "./judge-readiness.ts";
import { PromptMemory } from "./prompt-memory.ts";
import { looksLikePrompt } from "./prompt-shape.ts";
import { beforeCaret, hasDrawn, placesCaret, TAIL_BYTES } from "./shown-tail.ts";

interface WatchParts {
  readonly store: OutputStore;
  readonly modeTracker: TerminalModeTracker;
  readonly pace: AnswerPace;
  /** How much a process and its children have worked so far. */
  readonly measure: (pid: number) => Activity;
}

/** A measurement of a program in a silence. */
interface MeasuredProgram extends Measured {
  readonly pid: number;
  /** The output or input before the silence. */
  readonly eventMs: number;
}

/** The shortest time between two measurements that later ones are compared with. */
const WINDOW_MS = 40;
const MOST_POSTURES = 64;
const DEFAULT_COLS = 80;
/** A terminal answers within milliseconds, or within a second over a slow connection. */
const UNANSWERED_MS = 1_500;

export class InputWatch {
  readonly #parts: WatchParts;
  readonly #prompts = new PromptMemory();
  #ready: ReadonlySet<number> = new Set();
  /** The calls in which main threads were blocked when their programs waited for input. */
  readonly #postures = new BoundedMap<string, true>(MOST_POSTURES);
  #measured: MeasuredProgram | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /**
   * How long the program must have been silent. 0: not at all. Infinity: it probably works. `eventMs`: the time of the
   * last output or input.
   */
  quietNeededMs({ state, certainty, basis }: InputVerdict, eventMs: number): number {
    if (basis.kind === "asks-terminal") return UNANSWERED_MS;
    if (certainty === "once" || certainty === "twice") return 0;
    const { pace } = this.#parts;
    const pid = pidOf(basis);
    const facts: ReadinessFacts = {
      state,
      certainty,
      isClient: basis.kind === "reader" && basis.isFar,
      shown: this.#shownBy(pid),
      typed: pace.typed,
      isAnswered: pace.typedAt === undefined || this.#answerBytes() > 0,
      hasPrompted: this.#prompts.hasAny(pid),
      longestPauseMs: pace.longestPauseMs,
      firstPauseMs: pace.firstPauseMs,
      slowness: slowness(),
      isConcurrent: basis.kind === "reader" && basis.isConcurrent,
      isAsking: basis.kind === "reader" && basis.isTimed && this.#hasAsked(),
      isElsewhere: false,
      activity: "idle",
    };
    const idleMs = quietNeededMs(facts);
    // Avoids a measurement if its result would not matter, because it is the slowest step here.
    if (quietNeededMs({ ...facts, activity: "busy" }) === idleMs) return idleMs;
    const now = { pid, eventMs, atMs: performance.now(), activity: this.#parts.measure(pid) };
    const isSideThread = basis.kind === "reader" && basis.isSideThread;
    const isElsewhere = isSideThread && !this.#postures.has(`${pid} ${now.activity.posture}`);
    return quietNeededMs({ ...facts, isElsewhere, activity: this.#activityIn(now) });
  }

  /** How long an uncertain verdict must stay unchanged. */
  confirmNeededMs(verdict: InputVerdict): number {
    const { basis } = verdict;
    if (basis.kind !== "reader" || !basis.isRelayed) return confirmAfterMs(verdict);
    const caret = this.#caretAt(basis.pid);
    return confirmAfterMs(verdict, { isPrompted: caret === "learnt" || caret === "prompt" });
  }

  /**
   * The verdict, unless the program has sent a query to its terminal and may be waiting for an answer that never comes.
   * Some line editors send a query after their prompt and continue without an answer, and a prompt may be invisible.
   */
  consider(verdict: InputVerdict): InputVerdict {
    const mayAsk = verdict.state === "key" && !this.#parts.modeTracker.isAlternateScreen;
    if (!mayAsk || !endsWithQuery(this.#tail(QUERY_TAIL_BYTES))) return verdict;
    const line = this.#beforeCaret();
    if (looksLikePrompt(line)) return verdict;
    return judgeQuery(verdict, line.trim() === "" ? "key" : "unknown");
  }

  /** Call when the program is known to wait for input. */
  noteReady({ certainty, basis }: InputVerdict): void {
    const { pace, measure } = this.#parts;
    pace.noteReady();
    if (certainty !== "quiet") return;
    const pid = pidOf(basis);
    const { children, posture } = measure(pid);
    this.#ready = new Set(children);
    this.#postures.set(`${pid} ${posture}`, true);
    this.#prompts.note(pid, this.#beforeCaret());
  }

  #shownBy(pid: number): ShownFacts {
    const { isAlternateScreen, isCaretHidden } = this.#parts.modeTracker;
    const caret = this.#caretAt(pid);
    const isRedrawn = placesCaret(this.#tail(Math.min(TAIL_BYTES, this.#answerBytes())));
    if (!isAlternateScreen) return { caret, isCaretHidden, isRedrawn, screen: "normal" };
    return { caret, isCaretHidden, isRedrawn, screen: hasDrawn(this.#tail(TAIL_BYTES)) ? "drawn" : "undrawn" };
  }

  /** How much was printed since the last input. */
  #answerBytes(): number {
    const { store, pace } = this.#parts;
    return store.end - (pace.typedAt ?? 0);
  }

  #hasAsked(): boolean {
    return this.#parts.pace.typedAt === undefined && hasQuery(this.#tail(TAIL_BYTES));
  }

  #caretAt(pid: number): ShownFacts["caret"] {
    const line = this.#beforeCaret();
    if (line.trim() === "") return "blank";
    if (this.#prompts.knows(pid, line)) return "learnt";
    if (this.#prompts.isEditing(pid, line)) return "editing";
    return looksLikePrompt(line) ? "prompt" : "text";
  }

  /** What the program did in the last moments. Earlier work does not show that it works now. */
  #activityIn(now: MeasuredProgram): ReadinessFacts["activity"] {
    const before = this.#measured?.pid === now.pid && this.#measured.eventMs === now.eventMs ? this.#measured : now;
    if (before === now || now.atMs - before.atMs >= WINDOW_MS) this.#measured = now;
    return activitySince(before, now, this.#ready);
  }

  #beforeCaret(): string {
    return beforeCaret(this.#tail(TAIL_BYTES), this.#parts.store.size?.cols ?? DEFAULT_COLS);
  }

  #tail(bytes: number): Uint8Array {
    const { store } = this.#parts;
    const pages: Uint8Array[] = [];
    for (let from = Math.max(0, store.end - bytes); from < store.end; ) {
      const page = store.readMemory({ from, maxBytes: bytes });
      pages.push(page.bytes);
      from = page.next;
    }
    return Buffer.concat(pages);
  }
}

/** The pid for the memory of prompts. A program that cannot be observed has no pid, but also shows prompts. */
function pidOf(basis: InputBasis): number {
  return "pid" in basis ? basis.pid : 0;
}
