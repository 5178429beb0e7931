/**
 * What an answer holds of a session's output counts as read when the answer is out of our hands. Killed before that, this
 * server never gave it to anybody, and the next one must. A client that cancels a call does not look at its answer, even
 * if that is on its way already: what it holds is unread again.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { GivenOutput } from "../../tools/define-tool.ts";
import type { JsonRpcId, Message } from "./read-message.ts";

/** Calls whose answers may still cross with their cancelling: far more than are on their way at once. */
const MAX_REMEMBERED = 256;

export class Receipts {
  readonly #sessions: SessionService;
  readonly #caller: string;
  /** Not answered yet. */
  readonly #expected = new Map<JsonRpcId, GivenOutput[]>();
  /** Answered lately. */
  readonly #delivered = new BoundedMap<JsonRpcId, readonly GivenOutput[]>(MAX_REMEMBERED);

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
  expect(id: JsonRpcId, given: GivenOutput): void {
    const expected = this.#expected.get(id);
    if (expected) expected.push(given);
    else this.#giveBack([given]);
  }

  delivered(id: JsonRpcId): void {
    const given = this.#expected.get(id) ?? [];
    this.#expected.delete(id);
    if (given.length === 0) return;
    for (const { id: key, cursor } of given) {
      // A session that is closed by now has nothing to give to anybody.
      void this.#sessions.confirm(key, { caller: this.#caller, cursor }).catch(() => undefined);
    }
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

  #giveBack(given: readonly GivenOutput[]): void {
    for (const { id, from, cursor } of given) {
      void this.#sessions.giveBack(id, { caller: this.#caller, from, to: cursor }).catch(() => undefined);
    }
  }
}
