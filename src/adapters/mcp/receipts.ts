/**
 * What an answer holds of a session's output counts as read when the answer is out of our hands. Killed before that, this
 * server never gave it to anybody, and the next one must.
 */
import type { Sessions } from "../../sessions/sessions.ts";
import type { GivenOutput } from "../../tools/tool.ts";
import type { JsonRpcId } from "./read-message.ts";

export class Receipts {
  readonly #sessions: Sessions;
  readonly #caller: string;
  readonly #given = new Map<JsonRpcId, readonly GivenOutput[]>();

  constructor(sessions: Sessions, caller: string) {
    this.#sessions = sessions;
    this.#caller = caller;
  }

  /** The answer to this request holds it. */
  expect(id: JsonRpcId, given: readonly GivenOutput[]): void {
    if (given.length > 0) this.#given.set(id, given);
  }

  delivered(id: JsonRpcId): void {
    for (const { id: key, cursor } of this.#given.get(id) ?? []) {
      // A session that is closed by now has nothing to give to anybody.
      void this.#sessions.confirm(key, { caller: this.#caller, cursor }).catch(() => undefined);
    }
    this.#given.delete(id);
  }
}
