/**
 * A stream over a link that can break: the next link continues where the last one ended. Reading changes nothing, so
 * another host may continue a journal: it has those of the previous one.
 */
import { untilAborted } from "../../base/async/until-aborted.ts";
import { LimpetError, type LimpetErrorCode } from "../../base/limpet-error.ts";
import { pauseBeforeAttempt } from "./link-rules.ts";

/** All codes of errors that an unreachable place can cause. */
const LINK_CODES: ReadonlySet<LimpetErrorCode> = new Set(["LINK_LOST", "PLACE_UNREACHABLE", "PLACE_ASKS"]);

export type Pause = (ms: number) => Promise<unknown>;

export interface Resuming<Value, Position> {
  /** Opens the stream at a position. */
  readonly open: (position: Position) => AsyncIterable<Value>;
  readonly start: Position;
  /** What to pass on of a value, and where the stream continues after it. */
  readonly take: (
    value: Value,
    position: Position,
  ) => { readonly value: Value | undefined; readonly position: Position };
  readonly signal: AbortSignal | undefined;
  /** Waits before the next attempt; rejects when there will be none. */
  readonly pause: Pause;
}

export async function* resumedStream<Value, Position>({
  open,
  start,
  take,
  signal,
  pause,
}: Resuming<Value, Position>): AsyncGenerator<Value, void, undefined> {
  let position = start;
  for (let attempt = 0; ; attempt += 1) {
    try {
      for await (const received of open(position)) {
        attempt = 0;
        const taken = take(received, position);
        position = taken.position;
        if (taken.value !== undefined) yield taken.value;
      }
      return;
    } catch (error) {
      const pauseMs = pauseBeforeAttempt(attempt);
      if (!isLinkError(error) || pauseMs === undefined || signal?.aborted) throw error;
      await untilAborted(pause(pauseMs), signal);
    }
  }
}

export function isLinkError(error: unknown): boolean {
  return error instanceof LimpetError && LINK_CODES.has(error.code);
}
