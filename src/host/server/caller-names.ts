/**
 * Under which name each caller of each client is known. A client that comes after another goes on under its callers' names;
 * one that comes beside it, such as a second server of the same editor, gets names of its own: both are to see all output.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../base/limits.ts";

export class CallerNames {
  /** Who has each name. */
  readonly #holders = new Map<string, string>();
  /** By client, then by what it calls itself. */
  readonly #names = new Map<string, Map<string, string>>();
  /** Those of clients that are gone: one whose connection was cut comes back. */
  readonly #former = new BoundedMap<string, ReadonlyMap<string, string>>(MAX_CALLERS);

  /** The same for as long as the client is there, and when it comes back, unless another client has the name by then. */
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

  /** It is gone: the next one may have its names. */
  release(client: string): void {
    const names = this.#names.get(client);
    if (!names) return;
    for (const name of names.values()) this.#holders.delete(name);
    this.#names.delete(client);
    this.#former.set(client, new Map([...(this.#former.get(client) ?? []), ...names].slice(-MAX_CALLERS)));
  }

  /** The lowest, so that of two that are started again each finds a place where one of them was. */
  #firstFree(caller: string): string {
    let name = caller;
    for (let number = 2; this.#holders.has(name); number += 1) name = `${caller} #${number}`;
    return name;
  }
}
