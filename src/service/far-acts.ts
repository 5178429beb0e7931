/** Acts of callers at places, as this machine handles them: it records them and uses up their approvals. */
import { LimpetError } from "../base/limpet-error.ts";
import type { Approvals } from "./approvals/approvals.ts";
import { type AuditTrail, actorOf } from "./audit-trail.ts";
import type { Asker } from "./owners/asker.ts";
import type { TurnVerdict } from "./turn/turn-verdict.ts";

/** What a caller is about to do at a place. */
export interface FarAct {
  readonly caller: string;
  readonly place: string;
  readonly event: "start" | "run" | "typed" | "close";
  /** The id there; null if it is not known yet. */
  readonly session: number | null;
  /** The whole text, as a person approves it. */
  readonly text: string;
  /** What is recorded; null for typed text, which never is. */
  readonly command: string | null;
  readonly tool?: string | undefined;
  readonly verdict?: TurnVerdict | undefined;
}

interface Parts {
  readonly trail: AuditTrail;
  readonly approvals: Approvals;
}

/** Rejects if the act needs an approval that it does not have, or must be recorded and cannot be. */
export async function noteFarAct(act: FarAct, asker: Asker, { trail, approvals }: Parts): Promise<void> {
  const { place, event, text, command, session } = act;
  await trail.act(async () => {
    const number = act.verdict?.approval ?? null;
    if (number !== null) approvals.redeem(number, asker, { text, place });
    trail.note({
      event,
      ...actorOf(asker, act),
      place,
      ...(session === null ? {} : { session }),
      ...(command === null ? {} : { command }),
      ...(event === "typed" ? { bytes: Buffer.byteLength(text) } : {}),
    });
  });
}

/** This service has no places. */
export function notHere(place: string): LimpetError {
  return new LimpetError(
    "BAD_OPTION",
    `Unknown place ${JSON.stringify(place)}: these sessions have no places. Leave place out.`,
  );
}
