/**
 * The latest turns of each caller, by request id, so that a request can be sent again after a broken connection: the owner has
 * acted once, and gives the same answer again.
 *
 * The texts of old answers are dropped first when they take too much room; they are read again from the journal if asked for.
 */
import { BoundedMap } from "../base/bounded-map.ts";
import { MAX_CALLERS, MAX_RECENT_TURNS, RECENT_TURN_CHARS } from "../base/limits.ts";
import type { Session } from "../session/session.ts";
import type { CommandAnswer, TurnAnswer } from "./turn.ts";

/** What a turn has done: it is never done again. */
export interface Acted {
  readonly sessions: readonly Session[];
  readonly isReused: boolean;
  /** Only of a `run`: settles when the wait for its command ends. */
  readonly command: Promise<CommandAnswer> | undefined;
}

export class RememberedTurn {
  /** On the clock of `performance.now()`: a repeated request has only the rest of its time. */
  readonly startedMs: number = performance.now();
  acted: Promise<Acted> | undefined;
  answer: TurnAnswer | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** One at a time: of two requests with the same id only one reads. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

export class RecentTurns {
  /** By client, else by caller: a client that connects again may find its callers under other names. */
  readonly #byAsker = new BoundedMap<string, BoundedMap<string, RememberedTurn>>(MAX_CALLERS);
  /** With a text in the answer, the oldest first. */
  readonly #withText = new Map<RememberedTurn, number>();
  #chars = 0;

  /** The turn of this request: a new one unless it was sent before. */
  turnOf(asker: string, requestId: string | undefined): RememberedTurn {
    if (requestId === undefined) return new RememberedTurn();
    const turns = this.#byAsker.get(asker) ?? new BoundedMap<string, RememberedTurn>(MAX_RECENT_TURNS);
    this.#byAsker.set(asker, turns);
    const turn = turns.get(requestId) ?? new RememberedTurn();
    turns.set(requestId, turn);
    return turn;
  }

  /** Call when a turn has been answered. */
  noteAnswer(turn: RememberedTurn, answer: TurnAnswer): void {
    turn.answer = answer;
    const chars = charsOf(answer);
    this.#withText.set(turn, chars);
    this.#chars += chars;
    for (const [oldest, size] of this.#withText) {
      if (this.#chars <= RECENT_TURN_CHARS || oldest === turn) return;
      this.#withText.delete(oldest);
      this.#chars -= size;
      if (oldest.answer) oldest.answer = withoutText(oldest.answer);
    }
  }
}

/** The text is not there any more: `from` and `next` say what it was. */
const DROPPED = Symbol("dropped text");

export function isWithoutText(answer: TurnAnswer): boolean {
  return DROPPED in answer;
}

function withoutText(answer: TurnAnswer): TurnAnswer {
  const { output, command } = answer;
  return {
    ...answer,
    output: output && { ...output, text: "" },
    command: command && { ...command, output: "", stdout: "", stderr: "" },
    matches: null,
    screen: null,
    [DROPPED]: true,
  } as TurnAnswer;
}

/** Screens and matches count by a guess: they are bounded themselves. */
const OTHER_CHARS = 16 * 1024;

function charsOf({ output, command, matches, screen }: TurnAnswer): number {
  const texts = (output?.text.length ?? 0) + (command ? command.output.length + command.stdout.length : 0);
  return texts + (matches || screen ? OTHER_CHARS : 0);
}
