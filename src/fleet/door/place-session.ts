/**
 * Finds a host for a session: asks some suitable hosts for bids, and chooses one.
 *
 * A busy host answers late. So the door chooses after a moment among the bids that have arrived. If none has, it waits
 * until the deadline, or until the silent hosts have been without a lease for a while.
 */
import { untilAborted } from "../../base/async/until-aborted.ts";
import { withTimeout } from "../../base/async/with-timeout.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { KnownHost } from "../lease/known-host.ts";
import { encodeMessage } from "../link/open-messages.ts";
import type { Bus } from "../nats/bus.ts";
import { type Bid, type NoBid, readBid } from "../placement/bid.ts";
import { candidates, chooseAsked, lateHosts } from "../placement/choose-asked.ts";
import { chooseBid } from "../placement/choose-bid.ts";
import { describeShortage } from "../placement/describe-shortage.ts";
import { parseLabelExpression } from "../placement/parse-label-expression.ts";
import { bidSubject } from "../subjects.ts";

/** A host that has not answered by then is ignored if another one has. */
const ROUND_MS = 1_000;
/** Each round asks hosts that were not asked before. */
const MAX_ROUNDS = 3;

export interface SessionWish {
  /** An expression of labels. Undefined: any host. */
  readonly labels: string | undefined;
  readonly workspace?: string | undefined;
  readonly image?: string | undefined;
  /** Hosts that have refused this session because they are full. */
  readonly refused?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PlacementFacts {
  /** Returns the hosts as known at the time of the call. */
  readonly hosts: () => readonly KnownHost[];
  /** See `BidRequest`. */
  readonly recent: ReadonlyMap<string, number>;
  /** When the door gives up, as a value of `performance.now()`. */
  readonly deadlineMs: number;
}

/** `full`: the host has refused this session. `gone`: it does not answer. */
type Answer = Bid | NoBid | "full" | "gone";

/** Returns the name of the chosen host. Rejects with FLEET_FULL, and the message says what is missing. */
export async function placeSession(bus: Bus, wish: SessionWish, facts: PlacementFacts): Promise<string> {
  const { labels, workspace, image, refused, signal } = wish;
  const requestId = crypto.randomUUID();
  const question = encodeMessage({ workspace, image });
  const expression = labels === undefined ? undefined : parseLabelExpression(labels);
  const answers = new Map<string, Answer>([...(refused ?? [])].map((host) => [host, "full"]));
  /** The questions to hosts, by the state in which the host was. */
  const asked = { up: new Map<string, Promise<unknown>>(), late: new Map<string, Promise<unknown>>() };
  const ask = async (host: string) => {
    const timeoutMs = Math.max(1, facts.deadlineMs - performance.now());
    const data = await bus.request(bidSubject(host), question, { timeoutMs, hasDeadline: true });
    answers.set(host, (data && readBid(host, data)) ?? "gone");
  };
  const askAll = (hosts: readonly KnownHost[], state: keyof typeof asked) => {
    for (const { name } of hosts) {
      const asking = ask(name);
      // It may fail after another host has been chosen.
      asking.catch(() => undefined);
      asked[state].set(name, asking);
      // A host without a lease ignores questions, so it is asked again when it is back.
      asked[state === "up" ? "late" : "up"].delete(name);
    }
  };
  for (let round = 0; ; round += 1) {
    const unanswered = (hosts: readonly KnownHost[]) => hosts.filter(({ name }) => !answers.has(name));
    const up = unanswered(candidates(facts.hosts(), expression));
    const late = up.length === 0 ? unanswered(lateHosts(facts.hosts(), expression)) : [];
    const newlyLate = late.filter(({ name }) => !asked.late.has(name));
    // If one has died, NATS says so.
    askAll(chooseAsked(newlyLate, requestId), "late");
    if (late.length > 0) round = 0;
    const others = up.filter(({ name }) => !asked.up.has(name));
    const fresh = round < MAX_ROUNDS ? chooseAsked(others, `${requestId} ${round}`) : [];
    askAll(fresh, "up");
    const awaited = [
      ...up.flatMap(({ name }) => asked.up.get(name) ?? []),
      ...late.flatMap(({ name }) => asked.late.get(name) ?? []),
    ];
    if (awaited.length === 0)
      throw new LimpetError("FLEET_FULL", describeShortage(withAnswers(facts, answers), labels));
    const answered = fresh.length > 0 ? Promise.all(awaited) : Promise.race(awaited);
    await untilAborted(withTimeout(ROUND_MS, answered), signal);
    const bids = [...answers.values()].filter(isBid);
    const chosen = chooseBid(bids, { requestId, recent: facts.recent });
    if (chosen) return chosen.host;
  }
}

function isBid(answer: Answer): answer is Bid {
  return typeof answer === "object" && !("refused" in answer);
}

/** The hosts with the state from their answers, which are newer than their leases. */
function withAnswers({ hosts }: PlacementFacts, answers: ReadonlyMap<string, Answer>): readonly KnownHost[] {
  return hosts().map((host) => {
    const answer = answers.get(host.name);
    if (answer === "full") return { ...host, free: 0 };
    if (answer === undefined || answer === "gone" || isBid(answer)) return host;
    const { refused, sessions } = answer;
    return refused === "full" ? { ...host, free: 0, sessions } : { ...host, state: refused, sessions };
  });
}
