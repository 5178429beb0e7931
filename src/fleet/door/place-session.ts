/** Finds a host for a session: asks some that could take it, and chooses among their bids. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { KnownHost } from "../lease/known-host.ts";
import { decodeMessage, encodeMessage } from "../link/open-messages.ts";
import type { Bus } from "../nats/bus.ts";
import type { Bid } from "../placement/bid.ts";
import { candidates, chooseAsked } from "../placement/choose-asked.ts";
import { chooseBid } from "../placement/choose-bid.ts";
import { describeShortage } from "../placement/describe-shortage.ts";
import { parseLabelExpression } from "../placement/parse-label-expression.ts";
import { bidSubject } from "../subjects.ts";

/** A host that is slower than this is too busy for another session. */
const BID_MS = 1_000;
const MAX_ROUNDS = 3;

interface Placement {
  readonly hosts: readonly KnownHost[];
  /** An expression of labels; undefined: any host will do. */
  readonly labels: string | undefined;
  readonly workspace?: string | undefined;
  readonly image?: string | undefined;
  readonly requestId: string;
  readonly pending: ReadonlyMap<string, number>;
}

/** Rejects with FLEET_FULL. A round asks some hosts; if none of them bids, the next round asks others. */
export async function placeSession(bus: Bus, placement: Placement): Promise<string> {
  const { hosts, labels, workspace, image, requestId, pending } = placement;
  const expression = labels === undefined ? undefined : parseLabelExpression(labels);
  let open = candidates(hosts, expression);
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round += 1) {
    const asked = chooseAsked(open, `${requestId} ${round}`);
    const question = encodeMessage({ workspace, image });
    const answers = await Promise.all(
      asked.map(async ({ name }) =>
        readBid(name, await bus.request(bidSubject(name), question, { timeoutMs: BID_MS, hasDeadline: true })),
      ),
    );
    const bids = answers.filter((bid) => bid !== undefined);
    const chosen = chooseBid(bids, { requestId, pending });
    if (chosen) return chosen.host;
    open = open.filter((host) => !asked.includes(host));
  }
  throw new LimpetError("FLEET_FULL", describeShortage(hosts, labels));
}

/** A host can bid only for itself. */
function readBid(host: string, data: Uint8Array | undefined): Bid | undefined {
  const bid = data && (decodeMessage(data) as Partial<Bid> | undefined);
  const { epoch, sessions, free, load, hasImage, hasWorkspace } = bid ?? {};
  const areNumbers = [epoch, sessions, free, load].every(
    (value) => typeof value === "number" && Number.isFinite(value),
  );
  if (!areNumbers) return undefined;
  return { ...(bid as Bid), host, hasImage: hasImage === true, hasWorkspace: hasWorkspace === true };
}
