/** Says why a fleet cannot take a session: one sentence about what is missing, one about what to do. Pure. */
import { listSome } from "../../base/format/list-some.ts";
import type { HostState } from "../lease/judge-host.ts";
import type { KnownHost } from "../lease/known-host.ts";
import { matchLabels } from "./match-labels.ts";
import { parseLabelExpression } from "./parse-label-expression.ts";

/** How many names or labels a sentence lists. */
const MAX_LISTED = 8;

/** `asked`: the label expression; undefined for any host. `free` of a host is from its latest answer or lease. */
export function describeShortage(hosts: readonly KnownHost[], asked: string | undefined): string {
  if (hosts.length === 0)
    return "The fleet has no hosts. Start one with: limpet host run --join nats://SERVER --name NAME";
  const expression = asked === undefined ? undefined : parseLabelExpression(asked);
  const meant = expression ? hosts.filter(({ labels }) => matchLabels(expression, labels)) : hosts;
  if (meant.length === 0) return describeNoMatch(hosts, asked ?? "");
  const groups = [...groupByReason(meant)].map(([reason, those]) => `${these(those)} ${reason}`);
  const which = asked === undefined ? "No host of the fleet" : `No host that matches ${JSON.stringify(asked)}`;
  return `${which} can take a session: ${groups.join("; ")}. ${remedyFor(meant)}`;
}

function describeNoMatch(hosts: readonly KnownHost[], asked: string): string {
  const labels = [...new Set(hosts.flatMap((host) => host.labels))].sort();
  const isOne = hosts.length === 1;
  const none = isOne ? "it has no labels" : "none of them has labels";
  const known = labels.length === 0 ? none : `${isOne ? "its" : "their"} labels are ${listSome(labels, MAX_LISTED)}`;
  const count = isOne ? "The only host does not match" : `None of the ${hosts.length} hosts matches`;
  return `${count} ${JSON.stringify(asked)}; ${known}. Use these, or start a host with: limpet host run --label LABEL`;
}

type Reason = "full" | "unanswered" | Exclude<HostState, "up">;

function reasonOf({ state, free }: KnownHost): Reason {
  if (state !== "up") return state;
  return free > 0 ? "unanswered" : "full";
}

const WORDS: Readonly<Record<Reason, readonly [one: string, many: string]>> = {
  full: ["is full", "are full"],
  unanswered: ["did not answer in time", "did not answer in time"],
  draining: ["is draining", "are draining"],
  cordoned: ["is cordoned", "are cordoned"],
  unreachable: ["is unreachable", "are unreachable"],
  lost: ["is lost", "are lost"],
};

/** In the order of `WORDS`. */
function groupByReason(hosts: readonly KnownHost[]): ReadonlyMap<string, readonly KnownHost[]> {
  const groups = new Map<string, readonly KnownHost[]>();
  for (const [reason, [one, many]] of Object.entries(WORDS)) {
    const those = hosts.filter((host) => reasonOf(host) === reason);
    const sessions = those.reduce((sum, host) => sum + host.sessions, 0);
    const detail = reason === "full" ? ` (${sessions} ${sessions === 1 ? "session" : "sessions"})` : "";
    if (those.length > 0) groups.set(`${those.length === 1 ? one : many}${detail}`, those);
  }
  return groups;
}

function remedyFor(hosts: readonly KnownHost[]): string {
  const reasons = new Set(hosts.map(reasonOf));
  if (reasons.has("full")) return "End sessions there, or start another host with these labels.";
  if (reasons.has("unanswered")) return "Try again; limpet fleet status shows the hosts.";
  const isHeldBack = reasons.has("cordoned") || reasons.has("draining");
  return isHeldBack
    ? "Wait until an operator opens them again, or start another host with these labels."
    : "Check these machines and their connection to NATS, or start another host with these labels.";
}

function these(hosts: readonly KnownHost[]): string {
  return listSome(hosts.map(({ name }) => name).sort(), MAX_LISTED);
}
