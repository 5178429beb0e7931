/**
 * Pure: the state of one command in a shell, and how each event changes it.
 *
 *   typing → typed → running → ended → over
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

interface NotStarted extends Past {
  readonly hasStarted: false;
  /** It was typed a second time, because it had not started. */
  readonly isSecondTry: boolean;
}

interface Typing extends NotStarted {
  readonly phase: "typing";
}

interface Typed extends NotStarted {
  readonly phase: "typed";
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

/** The shell has reported the end, but is not ready for the next command yet. */
interface Ended extends Past {
  readonly phase: "ended";
  readonly end: EndMark;
  readonly asks: number;
}

/** The shell is ready again, or has ended. */
interface Over extends Past {
  readonly phase: "over";
  /** `taken`: the shell is back and never read the command: another program read it from the terminal. */
  readonly how: "back" | "taken" | "gone";
  readonly end: EndMark | undefined;
  readonly asks: number;
}

export type FrameState = Typing | Typed | Running | ThrownBack | Asking | Ended | Over;

export type FrameEvent =
  /** The whole command was typed. */
  | { readonly type: "allTyped" }
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

export const TYPING: FrameState = { phase: "typing", hasStarted: false, isInterrupted: false, isSecondTry: false };
/** No command is run: limpet only asks the shell for its state. */
export const QUERY: FrameState = { phase: "asking", asks: 0, hasStarted: false, isInterrupted: false };

/** Returns the same state if the event changes nothing. */
export function nextState(state: FrameState, event: FrameEvent): FrameState {
  // A command ends once: later events belong to another one.
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

/** The command may still need its user. In any other phase, a shell that reads only waits for limpet. */
export function isAtWork({ phase }: FrameState): boolean {
  return phase === "typing" || phase === "typed" || phase === "running";
}

export function asksOf(state: FrameState): number {
  return "asks" in state ? state.asks : 0;
}

type Living = Exclude<FrameState, Over>;

/** A command starts once: a second start mark would cut off what it printed after the first. */
function started(state: Living): FrameState {
  const { hasStarted, isInterrupted } = pastOf(state);
  return hasStarted || state.phase === "ended" ? state : { phase: "running", hasStarted: true, isInterrupted };
}

function ended(state: Living, end: EndMark): FrameState {
  return state.phase === "ended" ? state : { phase: "ended", end, ...pastOf(state), asks: asksOf(state) };
}

/** While a command is being typed, a prompt is late or from another program: the shell cannot be back yet. */
function prompted(state: Living, promptAt: Cursor): FrameState {
  switch (state.phase) {
    case "typed":
    case "running":
      return { phase: "thrownBack", before: state, promptAt };
    case "ended":
      return { ...state, phase: "over", how: isTaken(state) ? "taken" : "back" };
    case "typing":
    // The output ends at the first prompt: an empty line that the command did not read causes a second one.
    case "thrownBack":
    case "asking":
      return state;
  }
}

/** A command that has not started can only end as the answer to a query. */
function isTaken({ asks, hasStarted, isInterrupted }: Ended): boolean {
  return asks > 0 && !hasStarted && !isInterrupted;
}

/**
 * Also after the end: a typed Ctrl+C is reported only once the terminal has accepted it, and the shell may be faster.
 */
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

/** Never before the whole command was typed: the query would become part of it. */
function asked(state: Living): FrameState {
  if (state.phase === "typing" || state.phase === "ended") return state;
  return { phase: "asking", ...pastOf(state), asks: asksOf(state) + 1 };
}
