/**
 * Under which name each caller of each client is known. A client that comes after another goes on under its callers' names;
 * one that comes beside it, such as a second server of the same editor, gets names of its own: both are to see all output.
 */
import { MAX_CALLERS } from "../base/limits.ts";

export class CallerNames {
  /** Who has each name. */
  readonly #holders = new Map<string, string>();
  /** By client, then by what it calls itself. */
  readonly #names = new Map<string, Map<string, string>>();

  /** The same for as long as the client is there. */
  nameFor(client: string, caller: string): string {
    const names = this.#names.get(client) ?? new Map<string, string>();
    this.#names.set(client, names);
    const known = names.get(caller);
    if (known !== undefined) return known;
    const name = this.#firstFree(caller);
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
    for (const name of this.#names.get(client)?.values() ?? []) this.#holders.delete(name);
    this.#names.delete(client);
  }

  /** The lowest, so that of two that are started again each finds a place where one of them was. */
  #firstFree(caller: string): string {
    let name = caller;
    for (let number = 2; this.#holders.has(name); number += 1) name = `${caller} #${number}`;
    return name;
  }
}
