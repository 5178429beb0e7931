/**
 * Answers whatever a program asks its terminal (DA, DSR, CPR), for sessions that want it. Answers are typed into the
 * program, so by default only those are given that `answer-when-safe.ts` allows.
 *
 * Only answers of a known form are sent. They consist of positions and fixed numbers, so that whoever controls the
 * output cannot choose what is typed. Questions that come too fast are not answered.
 */
import type { Cursor } from "../base/cursor.ts";
import { MAX_REPLIES_PER_SECOND } from "../base/limits.ts";
import type { Session } from "../session/session.ts";
import { Drawing } from "./drawing/drawing.ts";
import { ReplyBudget } from "./reply-budget.ts";

/** Options of `answerQueries`. */
export interface AnswerOptions {
  /** Questions before this cursor are not answered. Default: the end of the output so far. */
  readonly from?: Cursor;
  /** Called with each answer before it is typed. */
  readonly onAnswer?: (text: string) => void;
  /** Stops the answering. */
  readonly signal?: AbortSignal;
}

/** Primary and secondary attributes, the status "no malfunction", and the position of the caret. */
const ANSWERS = /^\x1b\[(?:\?1;2c|>0;\d{1,4};0c|0n|\??\d{1,3};\d{1,3}R)$/;

/** Resolves when the session's output has ended or the signal is aborted. */
export async function answerQueries(session: Session, options: AnswerOptions = {}): Promise<void> {
  const { from = session.endCursor, onAnswer, signal } = options;
  const budget = new ReplyBudget(MAX_REPLIES_PER_SECOND);
  const drawing = new Drawing(session, { scrollback: 0, onReply: (text) => answer(text) });
  function answer(text: string): void {
    const isDue = drawing.cursor >= from && ANSWERS.test(text) && session.exit === undefined;
    if (!isDue || !budget.take(performance.now())) return;
    onAnswer?.(text);
    // A program that has ended or does not read needs no answer.
    void session.write(text).catch(() => undefined);
  }
  try {
    if (from > 0) await drawing.catchUp(from);
    for await (const _page of session.output({ from, ...(signal ? { signal } : {}) })) await drawing.catchUp();
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    drawing.terminal.dispose();
  }
}
