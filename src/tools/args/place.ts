/** The parameter `place`, which tools have only if there are places. */
import { z } from "zod";
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import type { Args } from "./synonyms.ts";

export function placeName(names: readonly string[]): z.ZodOptional<z.ZodEnum> {
  return z
    .enum(names as [string, ...string[]])
    .optional()
    .describe("where to run it; default here");
}

/** Whether a call is about a place: by `place`, or by the key of a shell such as `build/dev`. */
export function elsewhere(names: readonly string[]): (args: Args) => boolean {
  return ({ place, shell }) => {
    if (names.length === 0) return false;
    return isSet(place) || (typeof shell === "string" && parseSessionKey(shell.trim()).place !== null);
  };
}

/** Where a turn acts: as the call says, or where its session is. Null: here. Pure. */
export function placeOfTurn(named: string | undefined, { on }: Pick<TurnRequest, "on">): string | null {
  if (on.kind === "session") return parseSessionKey(on.key).place;
  if (on.kind === "run") return named ?? parseSessionKey(on.run.shell).place;
  return named ?? null;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
