/**
 * The latest turns of each caller, by request id, so that a request can be sent again after a broken connection: the owner has
 * acted once, and gives the same answer again.
 *
 * The texts of old answers are dropped first when they take too much room; they are read again from the journal if asked for.
 */
import { BoundedMap } from "../base/bounded-map.ts";
import { MAX_CALLERS, MAX_RECENT_TURNS, RECENT_TURN_CHARS } from "../base/limits.ts";
import type { Session } from "../session/session.ts";
import type { CommandAnswer, Receipt, ScreenView, TurnAnswer } from "./turn.ts";

/** What a turn has done: it is never done again. */
export interface Acted {
  readonly sessions: readonly Session[];
  readonly isReused: boolean;
  /** Only of a `run`: settles when the wait for its command ends. */
  readonly command: Promise<CommandAnswer> | undefined;
}

/** An answer, and what it took from its caller's unread output and news. */
export interface AnsweredTurn {
  readonly answer: TurnAnswer;
  readonly taken: Receipt;
}

export class RememberedTurn {
  /** On the clock of `performance.now()`: a repeated request has only the rest of its time. */
  readonly startedMs: number = performance.now();
  /** Not there any more when the turn is answered or abandoned: it would keep ended sessions in memory. */
  acted: Promise<Acted> | undefined;
  answered: AnsweredTurn | undefined;
  readonly #abandoning = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  /** Aborted when nobody waits for the answer any more: the request was cancelled, or its answer given back. */
  get abandoned(): AbortSignal {
    return this.#abandoning.signal;
  }

  abandon(reason?: unknown): void {
    this.acted = undefined;
    this.#abandoning.abort(reason);
  }

  /** What is to be given back: only once. */
  takeAnswer(): AnsweredTurn | undefined {
    const { answered } = this;
    this.answered = undefined;
    return answered;
  }

  /** One at a time: of two requests with the same id only one reads. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // Not with its result: an answer is kept in one place only.
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
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
    const turn = this.find(asker, requestId) ?? new RememberedTurn();
    this.keep(asker, requestId, turn);
    return turn;
  }

  find(asker: string, requestId: string): RememberedTurn | undefined {
    return this.#byAsker.get(asker)?.get(requestId);
  }

  /** Call when nobody waits for the turn any more: one that took long counts as recent, whatever was asked meanwhile. */
  keep(asker: string, requestId: string | undefined, turn: RememberedTurn): void {
    if (requestId === undefined) return;
    const turns = this.#byAsker.get(asker) ?? new BoundedMap<string, RememberedTurn>(MAX_RECENT_TURNS);
    this.#byAsker.set(asker, turns);
    turns.set(requestId, turn);
  }

  /** Call when a turn has been answered. */
  noteAnswer(turn: RememberedTurn, answered: AnsweredTurn): void {
    turn.answered = answered;
    turn.acted = undefined;
    const chars = charsOf(answered.answer);
    this.#withText.set(turn, chars);
    this.#chars += chars;
    for (const [oldest, size] of this.#withText) {
      if (this.#chars <= RECENT_TURN_CHARS || oldest === turn) return;
      this.#withText.delete(oldest);
      this.#chars -= size;
      if (oldest.answered) oldest.answered = { ...oldest.answered, answer: withoutText(oldest.answered.answer) };
    }
  }
}

/** The text is not there any more: `from` and `next` say what it was. */
const DROPPED: unique symbol = Symbol("dropped text");

/** What an answer without its texts still knows of them. */
interface DroppedText {
  readonly screenReason: ScreenView["reason"];
}

/** Undefined for an answer that is complete. */
export function droppedTextOf(answer: TurnAnswer & { readonly [DROPPED]?: DroppedText }): DroppedText | undefined {
  return answer[DROPPED];
}

function withoutText(answer: TurnAnswer): TurnAnswer {
  const { output, command, screen } = answer;
  return {
    ...answer,
    output: output && { ...output, text: "" },
    command: command && { ...command, output: "", stdout: "", stderr: "" },
    matches: null,
    screen: null,
    [DROPPED]: { screenReason: screen?.reason ?? null },
  } as TurnAnswer;
}

/** Screens and matches count by a guess: they are bounded themselves. */
const OTHER_CHARS = 16 * 1024;
/** Of an answer without any text. */
const BARE_CHARS = 1024;

function charsOf({ output, command, matches, screen }: TurnAnswer): number {
  const texts = (output?.text.length ?? 0) + (command ? command.output.length + command.stdout.length : 0);
  return BARE_CHARS + texts + (matches || screen ? OTHER_CHARS : 0);
}
