/**
 * The name of each client's callers in this host, unique within a project. A client that replaces an earlier one uses
 * the same names and continues to read where its callers stopped. A client that runs at the same time, such as a second
 * server of the same editor, gets other names, so that both read all output.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { MAX_CALLERS } from "../../base/limits.ts";

/** A client that asks for names. */
export interface NamedClient {
  /** The same for all connections of a client. */
  readonly id: string;
  readonly project: string | null;
  /** The process that started it; undefined if not known. */
  readonly starter: string | undefined;
}

interface NameState {
  /** The client that uses the name; undefined while nobody does. */
  holder: string | undefined;
  /** The starter of the client that used it last. */
  starter: string | undefined;
}

export class CallerNames {
  readonly #isStarterAlive: (starter: string) => boolean;
  /** By project and name. */
  readonly #states = new Map<string, NameState>();
  /** By client, then by the caller's own name. */
  readonly #names = new Map<string, Map<string, string>>();
  /** Names of disconnected clients, which may reconnect. */
  readonly #former = new BoundedMap<string, ReadonlyMap<string, string>>(MAX_CALLERS);
  /** Names that nobody uses, the oldest first. */
  readonly #unused = new Set<string>();

  constructor(isStarterAlive: (starter: string) => boolean) {
    this.#isStarterAlive = isStarterAlive;
  }

  /**
   * The same name while the client is connected. The client, or another one of the same starter, gets it again after it
   * reconnects, unless another client uses the name by then.
   */
  nameFor(client: NamedClient, caller: string): string {
    const names = this.#names.get(client.id) ?? new Map<string, string>();
    this.#names.set(client.id, names);
    const known = names.get(caller);
    if (known !== undefined) return known;
    const former = this.#former.get(client.id)?.get(caller);
    const isFree = former !== undefined && this.#states.get(keyOf(client, former))?.holder === undefined;
    const name = isFree ? former : this.#choose(client, caller);
    this.#hold(client, name);
    names.set(caller, name);
    const [oldest] = names;
    if (names.size > MAX_CALLERS && oldest) {
      names.delete(oldest[0]);
      this.#free(keyOf(client, oldest[1]));
    }
    return name;
  }

  /** The client has disconnected: another one may use its names. */
  release(client: NamedClient): void {
    const names = this.#names.get(client.id);
    if (!names) return;
    for (const name of names.values()) this.#free(keyOf(client, name));
    this.#names.delete(client.id);
    this.#former.set(client.id, new Map([...(this.#former.get(client.id) ?? []), ...names].slice(-MAX_CALLERS)));
  }

  /**
   * First choice: a name that a client of the same starter had, because that client was restarted. Otherwise the lowest
   * free name, so that a resumed conversation continues. A name whose last user may still be restarted by its own
   * starter is not free.
   */
  #choose(client: NamedClient, caller: string): string {
    let unclaimed: string | undefined;
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? caller : `${caller} #${number}`;
      const state = this.#states.get(keyOf(client, name));
      if (!state) return unclaimed ?? name;
      if (state.holder !== undefined) continue;
      if (client.starter !== undefined && state.starter === client.starter) return name;
      const isClaimed = state.starter !== undefined && this.#isStarterAlive(state.starter);
      if (!isClaimed) unclaimed ??= name;
    }
  }

  #hold(client: NamedClient, name: string): void {
    const key = keyOf(client, name);
    this.#states.set(key, { holder: client.id, starter: client.starter });
    this.#unused.delete(key);
  }

  #free(key: string): void {
    const state = this.#states.get(key);
    if (state) state.holder = undefined;
    this.#unused.add(key);
    const [oldest] = this.#unused;
    if (this.#unused.size <= MAX_CALLERS || oldest === undefined) return;
    this.#unused.delete(oldest);
    this.#states.delete(oldest);
  }
}

function keyOf({ project }: NamedClient, name: string): string {
  return `${project}\0${name}`;
}
