/**
 * Pure: the state of one command in a shell, and how each event changes it.
 *
 *   typed → running → ended
 *
 * A prompt without an end mark suggests that the command was aborted (`thrownBack`). Then limpet asks the shell for its
 * state (`asking`). If the start mark arrives only after that, the query was too early, and the command runs.
 */
import type { Cursor } from "../../base/cursor.ts";
import type { EndMark } from "./mark.ts";

interface Past {
  /** The shell has reported the start. */
  readonly hasStarted: boolean;
  /** A caller or a person interrupted it. */
  readonly isInterrupted: boolean;
}

/** The line that makes the shell read the command was typed. */
interface Typed extends Past {
  readonly phase: "typed";
  readonly hasStarted: false;
  /** It was typed a second time, because the command had not started. */
  readonly isSecondTry: boolean;
}

interface Running extends Past {
  readonly phase: "running";
  readonly hasStarted: true;
}

/** A prompt arrived without an end mark before it. */
interface ThrownBack {
  readonly phase: "thrownBack";
  readonly before: Typed | Running;
  /** The cursor of the prompt: if the shell printed it, the output of the command ends here. */
  readonly promptAt: Cursor;
}

/** The end mark was lost, or there is no command: limpet asks the shell for its state. */
interface Asking extends Past {
  readonly phase: "asking";
  /** How often limpet asked the shell for a lost end. */
  readonly asks: number;
}

/** The shell has reported the end. */
interface Ended extends Past {
  readonly phase: "ended";
  /** `taken`: the shell never read the command: another program read it from the terminal. */
  readonly how: "back" | "taken";
  readonly end: EndMark;
  readonly asks: number;
  /** The shell has printed its prompt since. Until then, prompt hooks run. */
  readonly isPrompted: boolean;
}

/** The shell itself has ended. */
interface Gone extends Past {
  readonly phase: "gone";
  readonly asks: number;
}

export type FrameState = Typed | Running | ThrownBack | Asking | Ended | Gone;

export type FrameEvent =
  /** The shell reports the start. */
  | { readonly type: "startMark" }
  | { readonly type: "endMark"; readonly mark: EndMark }
  /** The shell printed its prompt, or reads as it does there. `at`: the end of the output at that time. */
  | { readonly type: "prompt"; readonly at: Cursor }
  | { readonly type: "interrupted" }
  /** The shell had not printed the prompt. */
  | { readonly type: "notBack" }
  /** It is about to be typed again, at most once. */
  | { readonly type: "again" }
  /** The shell is about to be asked for its state. */
  | { readonly type: "asked" }
  /** The shell has ended. */
  | { readonly type: "gone" };

export const TYPED: FrameState = { phase: "typed", hasStarted: false, isInterrupted: false, isSecondTry: false };
/** No command is run: limpet only asks the shell for its state. */
export const QUERY: FrameState = { phase: "asking", asks: 0, hasStarted: false, isInterrupted: false };

/** Returns the same state if the event changes nothing. */
export function nextState(state: FrameState, event: FrameEvent): FrameState {
  // A command ends once: later events belong to another one, except for the prompt and a late report of a Ctrl+C.
  if (state.phase === "gone") return state;
  if (state.phase === "ended") return afterEnd(state, event);
  switch (event.type) {
    case "startMark":
      return started(state);
    case "endMark":
      return ended(state, event.mark);
    case "prompt":
      return prompted(state, event.at);
    case "interrupted":
      return interrupted(state);
    case "notBack":
      return state.phase === "thrownBack" ? state.before : state;
    case "again":
      return typedAgain(state);
    case "asked":
      return { phase: "asking", ...pastOf(state), asks: asksOf(state) + 1 };
    case "gone":
      return { phase: "gone", ...pastOf(state), asks: asksOf(state) };
  }
}

export function pastOf(state: FrameState): Past {
  const { hasStarted, isInterrupted } = state.phase === "thrownBack" ? state.before : state;
  return { hasStarted, isInterrupted };
}

export function endOf(state: FrameState): EndMark | undefined {
  return state.phase === "ended" ? state.end : undefined;
}

/** The command may still need its user. In any other phase, a shell that reads only waits for limpet. */
export function isAtWork({ phase }: FrameState): boolean {
  return phase === "typed" || phase === "running";
}

/** The end of the command is known, or its shell has ended. */
export function isOver({ phase }: FrameState): boolean {
  return phase === "ended" || phase === "gone";
}

export function asksOf(state: FrameState): number {
  return "asks" in state ? state.asks : 0;
}

type Living = Exclude<FrameState, Ended | Gone>;

/** A typed Ctrl+C is reported only once the terminal has accepted it, and the shell may be faster. */
function afterEnd(state: Ended, { type }: FrameEvent): FrameState {
  if (type === "prompt") return state.isPrompted ? state : { ...state, isPrompted: true };
  return type === "interrupted" && !state.isInterrupted ? { ...state, isInterrupted: true } : state;
}

/** A command starts once: a second start mark would cut off what it printed after the first. */
function started(state: Living): FrameState {
  const { hasStarted, isInterrupted } = pastOf(state);
  return hasStarted ? state : { phase: "running", hasStarted: true, isInterrupted };
}

function ended(state: Living, end: EndMark): FrameState {
  const [{ isInterrupted, hasStarted }, asks] = [pastOf(state), asksOf(state)];
  // The terminal discards output on Ctrl+C, so the start mark may be lost.
  const past = { isInterrupted, hasStarted: hasStarted || end.hasRun };
  // A command that has not started can only end as the answer to a query.
  const isTaken = asks > 0 && !past.hasStarted && !past.isInterrupted;
  return { phase: "ended", how: isTaken ? "taken" : "back", end, ...past, asks, isPrompted: false };
}

function prompted(state: Living, promptAt: Cursor): FrameState {
  // The output ends at the first prompt: an empty line that the command did not read causes a second one.
  return isAtWork(state) ? { phase: "thrownBack", before: state as Typed | Running, promptAt } : state;
}

function interrupted(state: Living): FrameState {
  if (pastOf(state).isInterrupted) return state;
  if (state.phase === "thrownBack") return { ...state, before: { ...state.before, isInterrupted: true } };
  return { ...state, isInterrupted: true };
}

function typedAgain(state: Living): FrameState {
  const before = state.phase === "thrownBack" ? state.before : state;
  return before.phase === "typed" && !before.isSecondTry ? { ...before, isSecondTry: true } : state;
}
