/** Describes what a turn does at a place, for the audit log and the approvals on this machine. Pure. */
import { textOfTurn } from "../../service/approvals/text-of-turn.ts";
import type { FarAct } from "../../service/far-acts.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";

/** `request`: as it is sent to the place. Undefined for a request that only reads. */
export function farActOf(place: string, request: TurnRequest): FarAct | undefined {
  const { on, input, caller, tool, verdict } = request;
  const text = textOfTurn(request);
  const act = { caller, place, tool, verdict, text, session: null };
  if (on.kind === "start") return { ...act, event: "start", command: textOfTurn({ on }) };
  if (on.kind === "run") return { ...act, event: "run", session: idOf(on.run.shell), command: on.run.command };
  if (on.kind === "several" || !input) return undefined;
  return { ...act, event: "typed", session: idOf(on.key), command: null };
}

/** Null for a name: only the place knows the id of that session. */
export function idOf(key: SessionKey): number | null {
  return /^\d+$/.test(String(key)) ? Number(key) : null;
}
