/**
 * The latest turns of each caller, by request id. A client can repeat a request after a broken connection: the turn
 * acts once and returns the same answer again.
 *
 * If the answers take too much memory, the texts of the oldest are dropped first, with the names of other sessions;
 * they are read again if needed. Of many thousands of answers the oldest are forgotten: such a request is refused,
 * because the turn must not act twice.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_BARE_TURNS, MAX_CALLERS, MAX_RECENT_TURNS, RECENT_TURN_CHARS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Session } from "../../session/session.ts";
import type { Typing } from "../input/input-gate.ts";
import type { Receipt } from "./receipt.ts";
import type { CommandAnswer, ScreenView, TurnAnswer } from "./turn-answer.ts";

/** What a turn did. A repeated request does not do it again. */
export interface Acted {
  readonly sessions: readonly Session[];
  readonly isReused: boolean;
  /** What the turn types; undefined for nothing. */
  readonly typing: Typing | undefined;
  /** Only of a `run`: settles when the wait for its command ends. */
  readonly command: Promise<CommandAnswer> | undefined;
}

/** An answer, and what it took from its caller's unread output and news. */
export interface AnsweredTurn {
  readonly answer: TurnAnswer;
  readonly taken: Receipt;
}

const SETTLED = Promise.resolve();

export class RememberedTurn {
  /** A time of `performance.now()`. A repeated request has only the rest of its time. */
  readonly startedMs: number = performance.now();
  /** Removed when the turn is answered or abandoned: it would keep ended sessions in memory. */
  acted: Promise<Acted> | undefined;
  answered: AnsweredTurn | undefined;
  #isForgotten = false;
  /** Created on demand, and not kept with the answer: thousands of answers are kept, and it is larger than one. */
  #abandoning: AbortController | undefined;
  #last: Promise<unknown> = SETTLED;

  /** Aborted when no client waits for the answer: the request was cancelled, or its answer given back. */
  get abandoned(): AbortSignal {
    this.#abandoning ??= new AbortController();
    return this.#abandoning.signal;
  }

  abandon(reason?: unknown): void {
    this.acted = undefined;
    this.#abandoning ??= new AbortController();
    this.#abandoning.abort(reason);
  }

  answer(answered: AnsweredTurn): void {
    this.answered = answered;
    this.acted = undefined;
    if (!this.#abandoning?.signal.aborted) this.#abandoning = undefined;
  }

  forget(): void {
    this.answered = undefined;
    this.#isForgotten = true;
  }

  requireKnown(): void {
    if (!this.#isForgotten) return;
    throw new LimpetError(
      "LINK_LOST",
      "This request was answered too long ago: the answer is gone, and nothing was run again. Read the session.",
    );
  }

  /** The answer to give back. Returns it only once. */
  takeAnswer(): AnsweredTurn | undefined {
    const { answered } = this;
    this.answered = undefined;
    return answered;
  }

  /** Runs one task at a time: of two requests with the same id, only one reads. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // Without the result, so that an answer is stored in one place only.
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }
}

export class RecentTurns {
  /** By client, else by caller, because a client that reconnects may get other names for its callers. */
  readonly #byAsker = new BoundedMap<string, BoundedMap<string, RememberedTurn>>(MAX_CALLERS);
  /** Turns whose answer still has its text, the oldest first, with the size of the text. */
  readonly #withText = new Map<RememberedTurn, number>();
  #chars = 0;
  /** Turns whose answer has no text, the oldest first. */
  readonly #bare = new Set<RememberedTurn>();

  /** The turn of this request, which is new unless the request was sent before. */
  turnOf(asker: string, requestId: string | undefined): RememberedTurn {
    if (requestId === undefined) return new RememberedTurn();
    const turn = this.find(asker, requestId) ?? new RememberedTurn();
    this.keep(asker, requestId, turn);
    return turn;
  }

  find(asker: string, requestId: string): RememberedTurn | undefined {
    return this.#byAsker.get(asker)?.get(requestId);
  }

  /** Call this when no request waits for the turn, so that a long turn counts as recent. */
  keep(asker: string, requestId: string | undefined, turn: RememberedTurn): void {
    if (requestId === undefined) return;
    const turns = this.#byAsker.get(asker) ?? new BoundedMap<string, RememberedTurn>(MAX_RECENT_TURNS);
    this.#byAsker.set(asker, turns);
    turns.set(requestId, turn);
  }

  /** Call this when a turn has been answered. */
  noteAnswer(turn: RememberedTurn, answered: AnsweredTurn): void {
    turn.answer(answered);
    const chars = charsOf(answered.answer);
    this.#withText.set(turn, chars);
    this.#chars += chars;
    for (const [oldest, size] of this.#withText) {
      if (this.#chars <= RECENT_TURN_CHARS || oldest === turn) return;
      this.#withText.delete(oldest);
      this.#chars -= size;
      this.#dropText(oldest);
    }
  }

  #dropText(turn: RememberedTurn): void {
    const { answered } = turn;
    if (!answered) return;
    turn.answered = { ...answered, answer: withoutText(answered.answer) };
    this.#bare.add(turn);
    const [oldest] = this.#bare;
    if (!oldest || this.#bare.size <= MAX_BARE_TURNS) return;
    this.#bare.delete(oldest);
    if (oldest.answered) oldest.forget();
  }
}

/** Marks an answer without its text; `from` and `next` say where to read it. */
const DROPPED: unique symbol = Symbol("dropped text");

/** What an answer without its texts stores about them. */
interface DroppedText {
  readonly screenReason: ScreenView["reason"];
}

/** Undefined for an answer that is complete. */
export function droppedTextOf(answer: TurnAnswer & { readonly [DROPPED]?: DroppedText }): DroppedText | undefined {
  return answer[DROPPED];
}

function withoutText(answer: TurnAnswer): TurnAnswer {
  const { output, command, screen, around } = answer;
  return {
    ...answer,
    around: { ...around, running: [], leftovers: [] },
    output: output && { ...output, text: "" },
    command: command && { ...command, output: "", stdout: "", stderr: "" },
    matches: null,
    screen: null,
    [DROPPED]: { screenReason: screen?.reason ?? null },
  } as TurnAnswer;
}

/** An estimate for screens and matches, whose size is bounded. */
const OTHER_CHARS = 16 * 1024;
/** Of an answer without any text. */
const BARE_CHARS = 1024;
/** Of a session that the answer names. */
const NAME_CHARS = 64;

function charsOf({ output, command, matches, screen, around }: TurnAnswer): number {
  const texts = (output?.text.length ?? 0) + (command ? command.output.length + command.stdout.length : 0);
  const names = around.running.length + around.leftovers.length;
  return BARE_CHARS + texts + names * NAME_CHARS + (matches || screen ? OTHER_CHARS : 0);
}
