/** The answers that a client did not deliver, as its requests to the host: each is sent until it has surely arrived. */
import { BoundedMap } from "../../base/bounded-map.ts";
import type { Undelivered } from "../../service/turn/receipt.ts";

/** Far more than are in flight at once. */
const MOST = 256;

interface GiveBackRequest {
  readonly caller: string;
  readonly requestId: string;
}

export class GivenBack {
  readonly #byId = new BoundedMap<string, GiveBackRequest>(MOST);

  /** Undefined if the answer has no id: then the host does not remember it. */
  add(undelivered: Undelivered): GiveBackRequest | undefined {
    const requestId = "receipt" in undelivered ? undelivered.receipt.requestId : undelivered.requestId;
    if (requestId === null) return undefined;
    const request = { caller: undelivered.caller, requestId };
    this.#byId.set(requestId, request);
    return request;
  }

  requests(): Iterable<GiveBackRequest> {
    return this.#byId.values();
  }
}
