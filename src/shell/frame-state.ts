/**
 * Pure: how far one command in a shell has come, and what each event makes of that.
 *
 *   typing → typed → running → ended → over
 *
 * A prompt without an end before it throws a command back; whether it is really over then, the shell is asked. The beginning may
 * be told after all of that, as long as it was not told before: then whoever asked was too early.
 */
import type { Cursor } from "../base/cursor.ts";
import type { EndMark } from "./mark.ts";

interface Past {
  /** The shell has told that it has begun. */
  readonly hasStarted: boolean;
  /** Somebody has interrupted it. */
  readonly isInterrupted: boolean;
}

interface NotBegun extends Past {
  readonly hasStarted: false;
  /** It was typed once more, for it had not begun. */
  readonly isSecondTry: boolean;
}

interface Typing extends NotBegun {
  readonly phase: "typing";
}

interface Typed extends NotBegun {
  readonly phase: "typed";
}

interface Running extends Past {
  readonly phase: "running";
  readonly hasStarted: true;
}

/** A prompt came without an end before it. */
interface ThrownBack {
  readonly phase: "thrownBack";
  readonly before: Typed | Running;
  /** Where the prompt stands in the output: if it is the shell's, the output of the command ends here. */
  readonly promptAt: Cursor;
}

/** Its end was lost, or there is nothing but a question: the shell is asked for its state. */
interface Asking extends Past {
  readonly phase: "asking";
  /** How often it was asked for an end that was lost. */
  readonly asks: number;
}

/** The shell has told its end, and is not ready for the next yet. */
interface Ended extends Past {
  readonly phase: "ended";
  readonly end: EndMark;
  readonly asks: number;
}

/** The shell is ready again, or gone. */
interface Over extends Past {
  readonly phase: "over";
  /** `taken`: the shell is back and has never seen it: somebody else has read it off the terminal. */
  readonly how: "back" | "taken" | "gone";
  readonly end: EndMark | undefined;
  readonly asks: number;
}

export type FrameState = Typing | Typed | Running | ThrownBack | Asking | Ended | Over;

export type FrameEvent =
  /** All that was to be typed was typed. */
  | { readonly type: "allTyped" }
  /** The shell tells that it has begun. */
  | { readonly type: "startMark" }
  | { readonly type: "endMark"; readonly mark: EndMark }
  /** The shell shows its prompt, or reads as it does there. */
  | { readonly type: "prompt"; readonly at: Cursor }
  | { readonly type: "interrupted" }
  /** What looked like the prompt was none of the shell's. */
  | { readonly type: "notBack" }
  /** It is about to be typed once more; a third time means nothing. */
  | { readonly type: "again" }
  /** The shell is about to be asked for its state. */
  | { readonly type: "asked" }
  /** The shell has ended. */
  | { readonly type: "gone" };

export const TYPING: FrameState = { phase: "typing", hasStarted: false, isInterrupted: false, isSecondTry: false };
/** Nothing is run, only the state asked for. */
export const QUESTION: FrameState = { phase: "asking", asks: 0, hasStarted: false, isInterrupted: false };

/** Gives the same state back where the event means nothing to it. */
export function nextState(state: FrameState, event: FrameEvent): FrameState {
  // A command is over once: whatever arrives later is about another.
  if (state.phase === "over") return state;
  switch (event.type) {
    case "allTyped":
      return state.phase === "typing" ? { ...state, phase: "typed" } : state;
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
      return asked(state);
    case "gone":
      return { phase: "over", how: "gone", ...pastOf(state), end: endOf(state), asks: asksOf(state) };
  }
}

export function pastOf(state: FrameState): Past {
  const { hasStarted, isInterrupted } = state.phase === "thrownBack" ? state.before : state;
  return { hasStarted, isInterrupted };
}

export function endOf(state: FrameState): EndMark | undefined {
  return state.phase === "ended" || state.phase === "over" ? state.end : undefined;
}

/** The command may still need its user. In any other phase a shell that reads only waits for us. */
export function isAtWork({ phase }: FrameState): boolean {
  return phase === "typing" || phase === "typed" || phase === "running";
}

export function asksOf(state: FrameState): number {
  return "asks" in state ? state.asks : 0;
}

type Living = Exclude<FrameState, Over>;

/** A command begins once: a second mark would cut off what it has printed since the first. */
function started(state: Living): FrameState {
  const { hasStarted, isInterrupted } = pastOf(state);
  return hasStarted || state.phase === "ended" ? state : { phase: "running", hasStarted: true, isInterrupted };
}

function ended(state: Living, end: EndMark): FrameState {
  return state.phase === "ended" ? state : { phase: "ended", end, ...pastOf(state), asks: asksOf(state) };
}

/** While it is being typed, a prompt is a late one of before, or of somebody else: the shell has nothing to be back from. */
function prompted(state: Living, promptAt: Cursor): FrameState {
  switch (state.phase) {
    case "typed":
    case "running":
      return { phase: "thrownBack", before: state, promptAt };
    // A program can print our prompt, and the shell prints it after that: what lies between is output.
    case "thrownBack":
      return { ...state, promptAt };
    case "ended":
      return { ...state, phase: "over", how: isTaken(state) ? "taken" : "back" };
    case "typing":
    case "asking":
      return state;
  }
}

/** The end of one that has not begun can only be the answer to a question. */
function isTaken({ asks, hasStarted, isInterrupted }: Ended): boolean {
  return asks > 0 && !hasStarted && !isInterrupted;
}

/** Also after the end: a Ctrl+C that is typed is told only when the terminal has taken it, and the shell may be quicker. */
function interrupted(state: Living): FrameState {
  if (pastOf(state).isInterrupted) return state;
  if (state.phase === "thrownBack") return { ...state, before: { ...state.before, isInterrupted: true } };
  return { ...state, isInterrupted: true };
}

function typedAgain(state: Living): FrameState {
  const before = state.phase === "thrownBack" ? state.before : state;
  const isFirstTry = before.phase === "typed" && !before.isSecondTry;
  return isFirstTry ? { ...before, phase: "typing", isSecondTry: true } : state;
}

/** Never before all was typed: the question would be the rest of the command. */
function asked(state: Living): FrameState {
  if (state.phase === "typing" || state.phase === "ended") return state;
  return { phase: "asking", ...pastOf(state), asks: asksOf(state) + 1 };
}
