/**
 * Runs one turn for a tool's caller, within the time that its client allows. All tools go through here, so that none
 * acts without the guard.
 */
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { placeOfTurn } from "../args/place.ts";
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
  const isAct = doesAct(request);
  const at = placeOfTurn(context.place, request);
  const within = isAct ? withinAt(context.within, at) : undefined;
  const started = context.place !== undefined && isStart(request) ? { ...request, place: context.place } : request;
  const verdict = guard && isAct ? await guard(started, { ...context, within }) : undefined;
  const startedMs = performance.now();
  const { wait } = request;
  const wantedMs = wait?.deadlineMs ?? Number.POSITIVE_INFINITY;
  const deadlineMs = Math.min(wantedMs, longestWaitMs);
  const limits = isAct ? currentOf(context.limits) : undefined;
  const answer = await sessions.turn({
    ...started,
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
  return isStart({ on }) || input !== undefined;
}

function isStart({ on }: Pick<TurnRequest, "on">): boolean {
  return on.kind === "start" || on.kind === "run";
}

function withinAt(within: ToolContext["within"], place: string | null): SandboxRequest | undefined {
  return typeof within === "function" ? within(place) : within;
}

function currentOf<T extends object>(given: T | (() => T | undefined) | undefined): T | undefined {
  return typeof given === "function" ? given() : given;
}
