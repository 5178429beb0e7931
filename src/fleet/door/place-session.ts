/**
 * Finds a host for a session: asks some suitable hosts for bids, and chooses one.
 *
 * A busy host answers late. So the door chooses after a moment among the bids that have arrived. If none has, it waits
 * until the deadline, or until the leases of the silent hosts have expired.
 */
import { untilAborted } from "../../base/async/until-aborted.ts";
import { withTimeout } from "../../base/async/with-timeout.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { KnownHost } from "../lease/known-host.ts";
import { encodeMessage } from "../link/open-messages.ts";
import type { Bus } from "../nats/bus.ts";
import { type Bid, type NoBid, readBid } from "../placement/bid.ts";
import { candidates, chooseAsked } from "../placement/choose-asked.ts";
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
  const asked = new Map<string, Promise<unknown>>();
  const ask = async (host: string) => {
    const timeoutMs = Math.max(1, facts.deadlineMs - performance.now());
    const data = await bus.request(bidSubject(host), question, { timeoutMs, hasDeadline: true });
    answers.set(host, (data && readBid(host, data)) ?? "gone");
  };
  for (let round = 0; ; round += 1) {
    const open = candidates(facts.hosts(), expression).filter(({ name }) => !answers.has(name));
    const others = open.filter(({ name }) => !asked.has(name));
    const fresh = round < MAX_ROUNDS ? chooseAsked(others, `${requestId} ${round}`) : [];
    for (const { name } of fresh) {
      const asking = ask(name);
      // It may fail after another host has been chosen.
      asking.catch(() => undefined);
      asked.set(name, asking);
    }
    const awaited = open.flatMap(({ name }) => asked.get(name) ?? []);
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
