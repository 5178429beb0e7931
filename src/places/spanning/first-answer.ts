/**
 * Waits at several places at once. The first wait that ends with a result wins, and the others are ended. The output in
 * an answer that arrives too late becomes unread again.
 */
import { onAbort } from "../../base/async/on-abort.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";

/** After the first answer with a reached deadline, the others arrive within a round trip. */
const GRACE_MS = 300;

/** Waits at one place. Rejects with `NOTHING_TO_WAIT_FOR` if no session there can end the wait. */
export type Attempt = (signal: AbortSignal) => Promise<TurnAnswer>;

interface Race {
  readonly attempts: readonly Attempt[];
  readonly signal?: AbortSignal | undefined;
  /** Whether an error of one attempt ends all of them. */
  readonly isFatal: (error: unknown) => boolean;
  /** Called with an answer that is not used. */
  readonly giveBack: (answer: TurnAnswer) => void;
}

/** Rejects if no attempt has an answer, preferably with an error other than `NOTHING_TO_WAIT_FOR`. */
export async function firstAnswer({ attempts, signal, isFatal, giveBack }: Race): Promise<TurnAnswer> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const forget = onAbort(signal, () => stop.abort(signal?.reason));
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<TurnAnswer>((resolve, reject) => {
      const errors: unknown[] = [];
      /** An answer that only reports a reached deadline. */
      let late: TurnAnswer | undefined;
      let isOver = false;
      let open = attempts.length;
      const end = (settle: () => void) => {
        isOver = true;
        settle();
      };
      const onSettled = () => {
        open -= 1;
        if (isOver || open > 0) return;
        const answer = late;
        end(answer ? () => resolve(answer) : () => reject(errors.find((error) => !isNothing(error)) ?? errors[0]));
      };
      const onAnswer = (answer: TurnAnswer) => {
        const isLate = answer.result?.reason === "deadline";
        if (isOver || (isLate && late)) giveBack(answer);
        else if (isLate) {
          late = answer;
          timer = setTimeout(() => end(() => resolve(answer)), GRACE_MS);
        } else {
          if (late) giveBack(late);
          end(() => resolve(answer));
        }
        onSettled();
      };
      const onError = (error: unknown) => {
        if (!isOver && (isFatal(error) || signal?.aborted)) {
          if (late) giveBack(late);
          end(() => reject(error));
        }
        errors.push(error);
        onSettled();
      };
      for (const attempt of attempts) attempt(stop.signal).then(onAnswer, onError);
    });
  } finally {
    clearTimeout(timer);
    forget();
    stop.abort(new Error("Another session was first."));
  }
}

export function isNothing(error: unknown): boolean {
  return error instanceof LimpetError && error.code === "NOTHING_TO_WAIT_FOR";
}
