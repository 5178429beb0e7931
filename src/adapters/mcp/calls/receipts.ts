/**
 * Acknowledges output when the answer that contains it was written to the client. If this server is killed before that,
 * the next server returns the output again. A client that cancels a call ignores its answer, even if the answer is
 * already on its way, so its output becomes unread again.
 *
 * Some clients cancel calls whose answers they have used, because their MCP library keeps listening to a signal that is
 * aborted later. A client that has sent another call has used the earlier answers.
 */
import { BoundedMap } from "../../../base/bounded-map.ts";
import type { SessionService } from "../../../service/session-service.ts";
import type { Receipt } from "../../../service/turn/receipt.ts";
import type { JsonRpcId, Message } from "../read-message.ts";

/** Answers that may still be on their way while the client cancels them: far more than there are at once. */
const MAX_REMEMBERED = 256;

interface ReceiptsOptions {
  readonly sessions: SessionService;
  readonly caller: () => string;
  /** Whether a cancelled call that was answered counts as answered. */
  readonly ignoresLateCancel: () => boolean;
}

export class Receipts {
  readonly #options: ReceiptsOptions;
  /** Of calls that are not answered yet. */
  readonly #expected = new Map<JsonRpcId, Receipt[]>();
  /** Of calls that were answered recently. */
  readonly #delivered = new BoundedMap<JsonRpcId, readonly Receipt[]>(MAX_REMEMBERED);

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  /** A call with this id starts. The client has used the answers that were delivered before. */
  start(id: JsonRpcId): void {
    this.#delivered.clear();
    this.#expected.set(id, []);
  }

  /** The output of this call is unread again, because its answer will be another one. */
  again(id: JsonRpcId): void {
    this.#giveBack(this.#expected.get(id) ?? []);
    this.#expected.set(id, []);
  }

  /** The answer to this request contains the receipt's output. */
  expect(id: JsonRpcId, receipt: Receipt): void {
    const expected = this.#expected.get(id);
    if (expected) expected.push(receipt);
    else this.#giveBack([receipt]);
  }

  /** Returns what was delivered, in case it turns out to be `lost`. */
  delivered(id: JsonRpcId): readonly Receipt[] {
    const given = this.#expected.get(id) ?? [];
    this.#expected.delete(id);
    if (given.length === 0) return given;
    const { sessions, caller, ignoresLateCancel } = this.#options;
    for (const receipt of given) sessions.acknowledge({ caller: caller(), receipt });
    if (!ignoresLateCancel()) this.#delivered.set(id, given);
    return given;
  }

  /** The answer was sent, but its connection broke. It can be delivered again, or cancelled. */
  lost(id: JsonRpcId, given: readonly Receipt[]): void {
    this.#delivered.delete(id);
    if (given.length > 0) this.#expected.set(id, [...given]);
  }

  /** The client is gone: the answers that it has not received become unread again. */
  close(): void {
    for (const id of [...this.#expected.keys()]) this.cancelled(id);
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
    const { sessions, caller } = this.#options;
    for (const receipt of given) sessions.giveBack({ caller: caller(), receipt });
  }
}
