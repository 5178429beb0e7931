/**
 * Pure: decides how long a program must have been silent before it counts as waiting, if it may work while it reads
 * keys. The kernel cannot show this, because a REPL that awaits a timer, a test runner and an editor all wait in the
 * same call. The output of the program shows more: a prompt at the caret is better evidence than any silence.
 *
 * | what is shown                                       | silence                                              |
 * |-----------------------------------------------------|------------------------------------------------------|
 * | a prompt that this program has shown before         | a few milliseconds                                   |
 * | the same, in an area that the program draws anew    | adapted to the answer and its start, at least 250 ms |
 * | something that looks like a prompt                  | adapted to the answer, at least 50 ms                |
 * | a full-screen program that has drawn                | adapted to the answer, 50 ms to 0.4 s                |
 * | the same after Enter, if it can do several things   | also adapted to the start of the answer, from 0.25 s |
 * | a line of text, or lines without a visible caret    | adapted to the answer and its start, at least 250 ms |
 * | no answer yet to what was typed                     | 1.5 s, for a key 0.3 s                               |
 * | a full-screen program that has not drawn            | 1.5 s                                                |
 * | one that asked its terminal something as it started | 2 s                                                  |
 * | an empty line, from a program that shows prompts    | no silence is enough: it works                       |
 *
 * Adapted means three times the longest pause in this answer, at most 1.5 s.
 */
import type { Certainty, InputState } from "../../../probe/judge-input-state.ts";
import type { TypedKind } from "./answer-pace.ts";

export interface ShownFacts {
  /**
   * The text left of the caret, on its line. `learnt`: a prompt that this program has shown before. `prompt`: it looks
   * like one. `editing`: a known prompt and what was typed since. `text`: anything else. `blank`: nothing.
   */
  readonly caret: "learnt" | "prompt" | "editing" | "text" | "blank";
  readonly isCaretHidden: boolean;
  /**
   * Since the input, the program has moved the caret up or to a position, so its prompt may be in an area that it
   * redraws.
   */
  readonly isRedrawn: boolean;
  /** `undrawn`: the program has switched to the alternate screen, and shows nothing there yet. */
  readonly screen: "normal" | "drawn" | "undrawn";
}

export interface ReadinessFacts {
  readonly state: InputState;
  readonly certainty: Certainty;
  /** The reader is a client that passes on what is typed. */
  readonly isClient: boolean;
  readonly shown: ShownFacts;
  /** What was typed since the program was last known to wait. */
  readonly typed: TypedKind;
  /** The program has printed something since then. */
  readonly isAnswered: boolean;
  /** The program has shown prompts before. */
  readonly hasPrompted: boolean;
  /** The longest pause between two pieces of this answer. */
  readonly longestPauseMs: number;
  /** How long the answer or the program took to start. */
  readonly firstPauseMs: number;
  /** It has several threads, or waits for more than the terminal. */
  readonly isConcurrent: boolean;
  /** Nothing was typed yet, the program has sent a query to its terminal, and its call ends soon without an answer. */
  readonly isAsking: boolean;
  /**
   * Another thread reads, and the main thread is blocked in another call than at all times when the program was known
   * to wait.
   */
  readonly isElsewhere: boolean;
  /** How many times slower than an idle machine this machine is. At least 1. */
  readonly slowness: number;
  /** What the program and its children did since the last output. `started`: a process has started since the input. */
  readonly activity: "idle" | "started" | "busy";
}

const SHORTEST_MS = 50;
const LONGEST_MS = 1_500;
/** Full-screen programs that show a clock or the load of the machine draw once a second or less often. */
const LONGEST_DRAWN_MS = 400;
/** Without a prompt, most programs that continue to print do so within this time. */
const NO_PROMPT_MS = 250;
const UNANSWERED_KEY_MS = 300;
/** emacs waits this long for an answer of its terminal, then continues. */
const ASKING_MS = 2_000;
/** A program that shows a screen or a prompt and works this long without drawing accepts keys meanwhile. */
const BUSY_READY_MS = 5_000;
const PAUSES = 3;
/** Output of a container passes through its engine and its client. */
const ON_THE_WAY_MS = 40;

/** On a slow machine the needed silence grows, at most by this factor. */
const MOST_SLOWNESS = 2;
/** The same for programs that work and for container engines, which slow down with the machine. */
const MOST_SLOWNESS_AT_WORK = 6;

/** The needed silence in milliseconds. Infinity: silence proves nothing. 0: a second observation is enough. */
export function quietNeededMs(facts: ReadinessFacts): number {
  const quietMs = idleQuietMs(facts);
  const isAtWork = quietMs === BUSY_READY_MS || facts.certainty === "arrived";
  if (quietMs <= SHORTEST_MS && !isAtWork) return quietMs;
  const most = isAtWork ? MOST_SLOWNESS_AT_WORK : MOST_SLOWNESS;
  return quietMs * Math.min(most, facts.slowness);
}

function idleQuietMs(facts: ReadinessFacts): number {
  if (facts.certainty === "arrived") return isUnanswered(facts) ? UNANSWERED_KEY_MS : ON_THE_WAY_MS;
  if (facts.certainty !== "quiet") return 0;
  switch (facts.state) {
    case "unknown":
      return farQuietMs(facts);
    case "line":
    case "password":
      return lineQuietMs(facts);
    default:
      return keyQuietMs(facts);
  }
}

function keyQuietMs(facts: ReadinessFacts): number {
  const { shown, typed, hasPrompted } = facts;
  if (shown.screen === "undrawn") return whenIdle(facts, LONGEST_MS);
  if (isUnanswered(facts)) return whenIdle(facts, typed === "key" ? UNANSWERED_KEY_MS : LONGEST_MS);
  if (shown.screen === "drawn") {
    if (facts.isAsking) return ASKING_MS;
    if (facts.isElsewhere && (typed === "line" || typed === "signal")) return LONGEST_MS;
    return Math.min(whenIdle(facts, drawnQuietMs(facts)), BUSY_READY_MS);
  }
  switch (shown.caret) {
    case "learnt":
      return shown.isRedrawn ? Math.min(textQuietMs(facts), BUSY_READY_MS) : 0;
    case "prompt":
      if (shown.isRedrawn) return Math.min(textQuietMs(facts), BUSY_READY_MS);
      return adapted(facts.longestPauseMs, SHORTEST_MS);
    case "editing":
      return typed === "key" ? SHORTEST_MS : LONGEST_MS;
    case "text":
      return textQuietMs(facts);
    case "blank":
      if (shown.isCaretHidden) return textQuietMs(facts);
      return hasPrompted ? Number.POSITIVE_INFINITY : whenIdle(facts, LONGEST_MS);
  }
}

/** After Enter, a program often draws first only that the line has disappeared. */
function drawnQuietMs(facts: ReadinessFacts): number {
  const quietMs = adapted(facts.longestPauseMs, SHORTEST_MS, LONGEST_DRAWN_MS);
  const mayAnswerLate = facts.typed === "line" && facts.isConcurrent;
  return mayAnswerLate ? Math.max(quietMs, adapted(facts.firstPauseMs, NO_PROMPT_MS)) : quietMs;
}

function textQuietMs(facts: ReadinessFacts): number {
  return whenIdle(facts, adapted(longestOf(facts), NO_PROMPT_MS));
}

/**
 * The terminal echoes lines by itself, so an echo is not an answer. Reading lines is stronger evidence than reading
 * keys. But a signal may be ending the program without waking the thread that reads.
 */
function lineQuietMs(facts: ReadinessFacts): number {
  if (facts.typed === "signal") return LONGEST_MS;
  if (facts.shown.caret === "learnt" || facts.shown.caret === "prompt") return SHORTEST_MS;
  // A client keeps reading while the connection behind it ends.
  return facts.isClient ? Number.POSITIVE_INFINITY : whenIdle(facts, adapted(facts.longestPauseMs, NO_PROMPT_MS));
}

/** The state of the remote program is not visible, so only its output counts, and always after some silence. */
function farQuietMs(facts: ReadinessFacts): number {
  const { shown, typed } = facts;
  if (shown.screen === "undrawn") return Number.POSITIVE_INFINITY;
  if (isUnanswered(facts)) return LONGEST_MS;
  switch (shown.caret) {
    case "learnt":
      // The first piece is the echo, which shows the round-trip time.
      return adapted(facts.firstPauseMs, SHORTEST_MS);
    case "prompt":
      return adapted(longestOf(facts), NO_PROMPT_MS);
    case "blank":
      if (facts.hasPrompted && !shown.isCaretHidden) return Number.POSITIVE_INFINITY;
      break;
    default:
      if (typed === "key") return adapted(longestOf(facts), NO_PROMPT_MS);
  }
  return shown.screen === "drawn" ? LONGEST_MS : Number.POSITIVE_INFINITY;
}

function isUnanswered({ typed, isAnswered }: ReadinessFacts): boolean {
  return typed !== "nothing" && !isAnswered;
}

function longestOf({ longestPauseMs, firstPauseMs }: ReadinessFacts): number {
  return Math.max(longestPauseMs, firstPauseMs);
}

function adapted(pauseMs: number, shortestMs: number, longestMs = LONGEST_MS): number {
  return Math.min(longestMs, Math.max(shortestMs, PAUSES * pauseMs));
}

function whenIdle({ activity }: ReadinessFacts, quietMs: number): number {
  if (activity === "busy") return Number.POSITIVE_INFINITY;
  return activity === "started" ? LONGEST_MS : quietMs;
}
