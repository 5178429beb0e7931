/**
 * Acknowledges output when the answer that contains it was written to the client. If this server is killed before that,
 * the next server returns the output again. A client that cancels a call ignores its answer, even if the answer is
 * already on its way, so its output becomes unread again.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { Receipt } from "../../service/turn.ts";
import type { JsonRpcId, Message } from "./read-message.ts";

/** Answered calls that a client may still cancel: far more than are on their way at once. */
const MAX_REMEMBERED = 256;

export class Receipts {
  readonly #sessions: SessionService;
  readonly #caller: () => string;
  /** Of calls that are not answered yet. */
  readonly #expected = new Map<JsonRpcId, Receipt[]>();
  /** Of calls that were answered recently. */
  readonly #delivered = new BoundedMap<JsonRpcId, readonly Receipt[]>(MAX_REMEMBERED);

  constructor(sessions: SessionService, caller: () => string) {
    this.#sessions = sessions;
    this.#caller = caller;
  }

  /** A call with this id begins; an earlier call with the same id is over. */
  begin(id: JsonRpcId): void {
    this.#delivered.delete(id);
    this.#expected.set(id, []);
  }

  /** The answer to this request contains the receipt's output. */
  expect(id: JsonRpcId, receipt: Receipt): void {
    const expected = this.#expected.get(id);
    if (expected) expected.push(receipt);
    else this.#giveBack([receipt]);
  }

  delivered(id: JsonRpcId): void {
    const given = this.#expected.get(id) ?? [];
    this.#expected.delete(id);
    if (given.length === 0) return;
    for (const receipt of given) this.#sessions.acknowledge({ caller: this.#caller(), receipt });
    this.#delivered.set(id, given);
  }

  note({ method, params }: Message): void {
    if (method === "notifications/cancelled") this.cancelled(params?.["requestId"] as JsonRpcId);
  }

  /** The client ignores the answer to this request. */
  cancelled(id: JsonRpcId): void {
    this.#giveBack([...(this.#expected.get(id) ?? []), ...(this.#delivered.get(id) ?? [])]);
    this.#expected.delete(id);
    this.#delivered.delete(id);
  }

  #giveBack(given: readonly Receipt[]): void {
    for (const receipt of given) this.#sessions.giveBack({ caller: this.#caller(), receipt });
  }
}
