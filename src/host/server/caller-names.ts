/**
 * The name of each client's callers in this host. A client that replaces an earlier one uses the same names and
 * continues to read where its callers stopped. A client that runs at the same time, such as a second server of the same
 * editor, gets other names, so that both read all output.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../base/limits.ts";

export class CallerNames {
  /** The client that uses each name. */
  readonly #holders = new Map<string, string>();
  /** By client, then by the caller's own name. */
  readonly #names = new Map<string, Map<string, string>>();
  /** Names of disconnected clients, which may reconnect. */
  readonly #former = new BoundedMap<string, ReadonlyMap<string, string>>(MAX_CALLERS);

  /**
   * The same for as long as the client is there, and when it comes back, unless another client has the name by then.
   */
  nameFor(client: string, caller: string): string {
    const names = this.#names.get(client) ?? new Map<string, string>();
    this.#names.set(client, names);
    const known = names.get(caller);
    if (known !== undefined) return known;
    const former = this.#former.get(client)?.get(caller);
    const name = former !== undefined && !this.#holders.has(former) ? former : this.#firstFree(caller);
    this.#holders.set(name, client);
    names.set(caller, name);
    const [oldest] = names;
    if (names.size > MAX_CALLERS && oldest) {
      names.delete(oldest[0]);
      this.#holders.delete(oldest[1]);
    }
    return name;
  }

  /** The client has disconnected: another one may use its names. */
  release(client: string): void {
    const names = this.#names.get(client);
    if (!names) return;
    for (const name of names.values()) this.#holders.delete(name);
    this.#names.delete(client);
    this.#former.set(client, new Map([...(this.#former.get(client) ?? []), ...names].slice(-MAX_CALLERS)));
  }

  /** The lowest free number, so that two clients that restart use the same two names again. */
  #firstFree(caller: string): string {
    let name = caller;
    for (let number = 2; this.#holders.has(name); number += 1) name = `${caller} #${number}`;
    return name;
  }
}
