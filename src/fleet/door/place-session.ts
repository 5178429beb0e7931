/**
 * Finds a host for a session: asks some that could take it, and chooses among their bids.
 *
 * A host that is busy answers late. So a choice is made after a moment among those that have answered; while nobody
 * has, the door goes on listening until the deadline or until the lease of a silent host is gone.
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

/** Whoever has not answered after this time is left out if somebody else has. */
const ROUND_MS = 1_000;
/** Each asks other hosts. */
const MAX_ROUNDS = 3;

export interface SessionWish {
  /** An expression of labels; undefined: any host will do. */
  readonly labels: string | undefined;
  readonly workspace?: string | undefined;
  readonly image?: string | undefined;
  /** Hosts that have turned out to be full. */
  readonly refused?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PlacementFacts {
  /** As they are known at the moment of the call. */
  readonly hosts: () => readonly KnownHost[];
  /** See `BidRequest`. */
  readonly recent: ReadonlyMap<string, number>;
  /** When the door gives up, by `performance.now()`. */
  readonly deadlineMs: number;
}

/** `full`: it has refused a session. `gone`: it answers nothing. */
type Answer = Bid | NoBid | "full" | "gone";

/** Rejects with FLEET_FULL and what is missing. */
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
      // It may fail when another host has been chosen already.
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

/** The hosts as their own answers describe them, which are newer than their leases. */
function withAnswers({ hosts }: PlacementFacts, answers: ReadonlyMap<string, Answer>): readonly KnownHost[] {
  return hosts().map((host) => {
    const answer = answers.get(host.name);
    if (answer === "full") return { ...host, free: 0 };
    if (answer === undefined || answer === "gone" || isBid(answer)) return host;
    const { refused, sessions } = answer;
    return refused === "full" ? { ...host, free: 0, sessions } : { ...host, state: refused, sessions };
  });
}
