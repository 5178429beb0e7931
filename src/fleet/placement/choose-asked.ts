/**
 * Chooses which hosts are asked for a bid. Asking all hosts of a large fleet would cost thousands of messages per
 * start.
 */
import { LEASE_MS } from "../lease/judge-host.ts";
import type { KnownHost } from "../lease/known-host.ts";
import { draw } from "./draw.ts";
import type { LabelExpression } from "./label-expression.ts";
import { matchLabels } from "./match-labels.ts";

/**
 * Enough to find a host with the image or the workspace if some percent of the hosts have it, and to tolerate lost
 * hosts.
 */
export const MAX_ASKED = 8;

/** The hosts that can accept a session with these labels, in an order that is the same for all doors. Pure. */
export function candidates(hosts: readonly KnownHost[], expression: LabelExpression | undefined): readonly KnownHost[] {
  return matching(
    hosts.filter(({ state, free }) => state === "up" && free > 0),
    expression,
  );
}

/**
 * Hosts whose lease has just expired, in the same order. A burst of starts can delay the renewal of the host that it
 * keeps busy, so such a host is probably back soon. Pure.
 */
export function lateHosts(hosts: readonly KnownHost[], expression: LabelExpression | undefined): readonly KnownHost[] {
  return matching(
    hosts.filter(({ state, ageMs }) => state === "unreachable" && ageMs !== null && ageMs < 2 * LEASE_MS),
    expression,
  );
}

function matching(hosts: readonly KnownHost[], expression: LabelExpression | undefined): readonly KnownHost[] {
  return hosts
    .filter(({ labels }) => expression === undefined || matchLabels(expression, labels))
    .sort((one, other) => compareText(one.name, other.name));
}

/** At most `MAX_ASKED` of the candidates; always the same ones for the same request. Pure. */
export function chooseAsked(candidates: readonly KnownHost[], requestId: string): readonly KnownHost[] {
  return draw(candidates, { count: MAX_ASKED, text: requestId });
}

/** Compares code units, so the order does not depend on the locale of the door. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
