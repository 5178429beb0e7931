/**
 * Runs one turn for a tool's caller, within the time that its client allows. All tools go through here, so that none
 * acts without the guard.
 */
import { type Allowance, type Allowed, allowanceOf } from "../../base/allowance.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { placeOfTurn } from "../args/place.ts";
import type { ToolContext } from "../tool.ts";
import { fillDefaults } from "./fill-defaults.ts";

export interface ToolTurn extends TurnAnswer {
  readonly wallTimeSeconds: number;
  /** The client's limit ended the wait before the call's own deadline. */
  readonly isCutShort: boolean;
}

export async function takeTurn(
  context: ToolContext,
  given: Omit<TurnRequest, "caller" | "signal" | "verdict">,
): Promise<ToolTurn> {
  const { sessions, caller, signal, tool, onReceipt, longestWaitMs = Number.POSITIVE_INFINITY } = context;
  const { guard } = context;
  const isAct = doesAct(given);
  const place = placeOfTurn(context.place, given);
  const before = isAct ? allowedNow(context, place) : undefined;
  const started = context.place !== undefined && isStart(given) ? { ...given, place: context.place } : given;
  const request = before
    ? fillDefaults(started, { sandbox: before.sandbox.default, limits: before.limits.default })
    : started;
  const verdict = guard && before ? await guard(request, { ...context, within: before.sandbox.ceiling }) : undefined;
  const startedMs = performance.now();
  const { wait } = request;
  const wantedMs = wait?.deadlineMs ?? Number.POSITIVE_INFINITY;
  const deadlineMs = Math.min(wantedMs, longestWaitMs);
  // Read again: a person may have taken long to approve, and the project's file may have changed.
  const now = isAct ? allowedNow(context, place) : undefined;
  const [within, limits] = [now?.sandbox.ceiling, now?.limits.ceiling];
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
  return isStart({ on }) || input !== undefined;
}

function isStart({ on }: Pick<TurnRequest, "on">): boolean {
  return on.kind === "start" || on.kind === "run";
}

function allowedNow({ within, limits }: ToolContext, place: string | null) {
  return { sandbox: currentOf(within, place), limits: currentOf(limits, place) };
}

function currentOf<T extends object>(given: Allowed<T> | undefined, place: string | null): Allowance<T> {
  return allowanceOf(typeof given === "function" ? given(place) : given);
}
