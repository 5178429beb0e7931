/**
 * Runs one turn for a tool's caller, within the time that its client allows. All tools go through here, so that none
 * acts without the guard.
 */
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import type { ToolContext } from "../define-tool.ts";

export interface ToolTurn extends TurnAnswer {
  readonly wallTimeSeconds: number;
  /** The client's limit ended the wait before the call's own deadline. */
  readonly isCutShort: boolean;
}

export async function takeTurn(
  context: ToolContext,
  request: Omit<TurnRequest, "caller" | "signal" | "verdict">,
): Promise<ToolTurn> {
  const { sessions, caller, signal, tool, onReceipt, longestWaitMs = Number.POSITIVE_INFINITY } = context;
  const { guard } = context;
  const verdict =
    guard && doesAct(request) ? await guard(request, { ...context, within: currentOf(context.within) }) : undefined;
  const startedMs = performance.now();
  const { wait } = request;
  const wantedMs = wait?.deadlineMs ?? Number.POSITIVE_INFINITY;
  const deadlineMs = Math.min(wantedMs, longestWaitMs);
  const isAct = doesAct(request);
  const within = isAct ? currentOf(context.within) : undefined;
  const limits = isAct ? currentOf(context.limits) : undefined;
  const answer = await sessions.turn({
    ...request,
    ...(wait && Number.isFinite(deadlineMs) ? { wait: { ...wait, deadlineMs } } : {}),
    caller,
    ...(within ? { within } : {}),
    ...(verdict ? { verdict } : {}),
    ...(limits ? { limits } : {}),
    ...(tool === undefined ? {} : { tool }),
    ...(signal ? { signal } : {}),
  });
  if (answer.receipt) onReceipt?.(answer.receipt);
  const isLate = answer.result?.reason === "deadline" || answer.screen?.reason === "deadline";
  return {
    ...answer,
    wallTimeSeconds: (performance.now() - startedMs) / 1000,
    isCutShort: isLate && longestWaitMs < wantedMs,
  };
}

function doesAct({ on, input }: Pick<TurnRequest, "input" | "on">): boolean {
  return on.kind === "start" || on.kind === "run" || input !== undefined;
}

function currentOf<T extends object>(given: T | (() => T | undefined) | undefined): T | undefined {
  return typeof given === "function" ? given() : given;
}
