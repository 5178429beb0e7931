/** What a turn does at a place, for the audit and the approvals here. Pure. */
import { textOfTurn } from "../../service/approvals/text-of-turn.ts";
import type { FarAct } from "../../service/far-acts.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";

/** `request`: as the place gets it. Undefined if it only reads. */
export function farActOf(place: string, request: TurnRequest): FarAct | undefined {
  const { on, input, caller, tool, verdict } = request;
  const text = textOfTurn(request);
  const act = { caller, place, tool, verdict, text, session: null };
  if (on.kind === "start") return { ...act, event: "start", command: textOfTurn({ on }) };
  if (on.kind === "run") return { ...act, event: "run", session: idOf(on.run.shell), command: on.run.command };
  if (on.kind === "several" || !input) return undefined;
  return { ...act, event: "typed", session: idOf(on.key), command: null };
}

/** Null for a name: which session that is, only the place knows. */
export function idOf(key: SessionKey): number | null {
  return /^\d+$/.test(String(key)) ? Number(key) : null;
}
