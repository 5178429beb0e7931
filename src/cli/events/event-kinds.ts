/** Kinds of events as a user writes them, such as `waiting,exited`. Default: all of them. */
import { LimpetError } from "../../base/limpet-error.ts";
import { EVENT_KINDS, type EventKind } from "../../service/events/session-event.ts";

export function eventKinds(given: string | undefined): readonly EventKind[] {
  if (given === undefined) return EVENT_KINDS;
  const words = given.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !EVENT_KINDS.some((kind) => kind === word));
  if (unknown === undefined) return words as EventKind[];
  throw new LimpetError(
    "BAD_OPTION",
    `Unknown event ${JSON.stringify(unknown)}. Use one or more of: ${EVENT_KINDS.join(",")}.`,
  );
}
