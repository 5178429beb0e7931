/** Waits for the first of several sessions, which may be at different places. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { firstAnswer, isNothing } from "./first-answer.ts";
import { isOutOfReach, type KnownPlaces } from "./known-places.ts";
import { routeKeys } from "./route-turn.ts";

type Several = Extract<TurnRequest["on"], { readonly kind: "several" }>;

interface Across {
  readonly places: KnownPlaces;
  /** Runs a turn at one place. Null: this machine. */
  readonly turnAt: (place: string | null, request: TurnRequest) => Promise<TurnAnswer>;
  readonly giveBack: (answer: TurnAnswer) => void;
}

export async function waitAcross(request: TurnRequest, on: Several, across: Across): Promise<TurnAnswer> {
  const { places, turnAt, giveBack } = across;
  const { place: _place, signal, ...rest } = request;
  const areNamed = on.keys !== "running";
  const parts = on.keys === "running" ? everywhere(places) : [...routeKeys(on.keys)];
  const [first] = parts;
  const waitAt = (
    [place, keys]: Part,
    own: { readonly isPart?: boolean; readonly signal?: AbortSignal | undefined },
  ) => {
    const { isPart = false, signal: until } = own;
    const there = { ...on, keys, ...(isPart ? { isPart } : {}) };
    return turnAt(place, { ...rest, on: there, signal: until });
  };
  if (first && parts.length === 1) return await waitAt(first, { signal });
  const attempts = parts.map((part) => async (until: AbortSignal) => {
    const [place] = part;
    if (!areNamed && place !== null) await requireSessions(places, place);
    return await waitAt(part, { isPart: areNamed, signal: until });
  });
  const isFatal = (error: unknown) => !isNothing(error) && !isOutOfReach(error);
  try {
    return await firstAnswer({ attempts, signal, isFatal, giveBack });
  } catch (error) {
    // No session can end the wait. The answer is about the first session that was named.
    if (!first || !areNamed || !isNothing(error)) throw error;
    return await waitAt(first, { signal });
  }
}

type Part = readonly [place: string | null, keys: Several["keys"]];

function everywhere(places: KnownPlaces): readonly Part[] {
  return [null, ...places.all.map(({ name }) => name)].map((place) => [place, "running"]);
}

/** Rejects for a place that was not used before and has no session. Does not start a host there. */
async function requireSessions(places: KnownPlaces, name: string): Promise<void> {
  const place = places.get(name);
  if (places.used.includes(place)) return;
  const [running] = await places.ask([place], (service) => service.running());
  if (running && running.length > 0) return;
  throw new LimpetError(
    running ? "NOTHING_TO_WAIT_FOR" : "PLACE_UNREACHABLE",
    running ? `No session runs at ${name}. Start one there first.` : `${name} does not answer. Try again later.`,
  );
}
