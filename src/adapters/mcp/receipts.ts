/**
 * What an answer holds of a session's output counts as read when the answer is out of our hands. Killed before that, this
 * server never gave it to anybody, and the next one must. A client that cancels a call does not look at its answer, even
 * if that is on its way already: what it holds is unread again.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { Receipt } from "../../service/turn.ts";
import type { JsonRpcId, Message } from "./read-message.ts";

/** Calls whose answers may still cross with their cancelling: far more than are on their way at once. */
const MAX_REMEMBERED = 256;

export class Receipts {
  readonly #sessions: SessionService;
  readonly #caller: string;
  /** Not answered yet. */
  readonly #expected = new Map<JsonRpcId, Receipt[]>();
  /** Answered lately. */
  readonly #delivered = new BoundedMap<JsonRpcId, readonly Receipt[]>(MAX_REMEMBERED);

  constructor(sessions: SessionService, caller: string) {
    this.#sessions = sessions;
    this.#caller = caller;
  }

  /** A call under this id; what had it before is over. */
  begin(id: JsonRpcId): void {
    this.#delivered.delete(id);
    this.#expected.set(id, []);
  }

  /** The answer to this request holds it. */
  expect(id: JsonRpcId, receipt: Receipt): void {
    const expected = this.#expected.get(id);
    if (expected) expected.push(receipt);
    else this.#giveBack([receipt]);
  }

  delivered(id: JsonRpcId): void {
    const given = this.#expected.get(id) ?? [];
    this.#expected.delete(id);
    if (given.length === 0) return;
    for (const receipt of given) this.#sessions.acknowledge({ caller: this.#caller, receipt });
    this.#delivered.set(id, given);
  }

  note({ method, params }: Message): void {
    if (method === "notifications/cancelled") this.cancelled(params?.["requestId"] as JsonRpcId);
  }

  /** Nobody looks at the answer to this request. */
  cancelled(id: JsonRpcId): void {
    this.#giveBack([...(this.#expected.get(id) ?? []), ...(this.#delivered.get(id) ?? [])]);
    this.#expected.delete(id);
    this.#delivered.delete(id);
  }

  #giveBack(given: readonly Receipt[]): void {
    for (const receipt of given) this.#sessions.giveBack({ caller: this.#caller, receipt });
  }
}
