/** Checks whether the places of config.json can be reached, and which versions run there. */
import { withTimeout } from "../../base/async/with-timeout.ts";
import type { HostStatus } from "../../host/protocol.ts";
import { noAnswerIn, placePatienceMs } from "../place-patience.ts";
import { type Finding, reasonOf } from "./finding.ts";

/** How to ask a place. */
export interface PlaceToCheck {
  readonly name: string;
  /** Undefined if it can be reached and no host runs there. */
  status(): Promise<HostStatus | undefined>;
}

/** Checks all places at once. An unreachable place is only a warning, because limpet works here without it. */
export async function checkPlaces(places: readonly PlaceToCheck[]): Promise<readonly Finding[]> {
  return await Promise.all(places.map(checkPlace));
}

async function checkPlace({ name, status }: PlaceToCheck): Promise<Finding> {
  const check = `place ${name}`;
  const asked = status().then(
    (found): Finding => ({ check, verdict: "ok", what: describe(found), meaning: `Use it with --at ${name}.` }),
    (error: unknown): Finding => unreachable(check, reasonOf(error)),
  );
  const patienceMs = placePatienceMs();
  return (await withTimeout(patienceMs, asked)) ?? unreachable(check, noAnswerIn(patienceMs));
}

function describe(status: HostStatus | undefined): string {
  if (!status) return "reachable, with Node; no host runs there";
  const { version, node = "unknown", sessions } = status;
  return `reachable, limpet ${version} on Node ${node}, ${sessions} ${sessions === 1 ? "session" : "sessions"}`;
}

function unreachable(check: string, what: string): Finding {
  return { check, verdict: "warn", what, meaning: "Agents and --at cannot use it until that is fixed." };
}
