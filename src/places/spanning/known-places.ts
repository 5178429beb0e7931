/**
 * The places of a service: which of them were used, what ran there when they last answered, and which do not answer.
 * Asking all of them takes no longer than the time limit for one.
 */
import { withTimeout } from "../../base/async/with-timeout.ts";
import { listSome } from "../../base/format/list-some.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionName } from "../../service/listing/session-name.ts";
import type { RunningSession } from "../../service/listing/session-state.ts";
import type { SilentPlace } from "../../service/listing/silent-place.ts";
import type { SessionService } from "../../service/session-service.ts";

/**
 * Time for the first contact, which may need a login and an upload. A place that does not answer in time is reported.
 */
const PATIENCE_MS = 5_000;
/** A place that has failed within this time is asked again, but limpet does not wait for its answer. */
const FORGIVEN_MS = 30_000;

/** An error names so many places, and counts the others. */
const MAX_NAMED = 20;

export interface KnownPlace {
  readonly name: string;
  /** A service whose answers contain the name of the place. */
  readonly service: SessionService;
  /** Why the place is known not to answer. `ask` skips such a place. */
  readonly problem?: string;
}

/** Places that can change over time. */
export interface PlaceSource {
  all(): readonly KnownPlace[];
  /** Undefined for text that cannot be the name of a place. */
  find(name: string): KnownPlace | undefined;
}

type Question<T> = (service: SessionService, name: string) => Promise<T>;

interface PlaceState {
  /** The place has answered at least once. */
  isUsed: boolean;
  running: readonly RunningSession[];
  /** Why the place did not answer the last time; undefined if it did. */
  problem: string | undefined;
  failedMs: number;
}

export class KnownPlaces {
  readonly #source: PlaceSource;
  readonly #states = new Map<string, PlaceState>();
  readonly #onUsed = new Set<(place: KnownPlace) => void>();
  readonly #patienceMs: number;

  constructor(
    places: readonly KnownPlace[] | PlaceSource,
    { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {},
  ) {
    this.#source = "all" in places ? places : fixedPlaces(places);
    this.#patienceMs = patienceMs;
  }

  get all(): readonly KnownPlace[] {
    return this.#source.all();
  }

  /** The places that have answered at least once. */
  get used(): readonly KnownPlace[] {
    return this.all.filter(({ name }) => this.#stateOf(name).isUsed);
  }

  get(name: string): KnownPlace {
    const place = this.#source.find(name);
    if (place) return place;
    const known = this.all.map((each) => each.name);
    throw new LimpetError(
      "BAD_OPTION",
      `${JSON.stringify(name)} is not a place. Use one of: ${listSome(known, MAX_NAMED)}.`,
    );
  }

  /** The result of `work` at the place. The message of an error starts with the name of the place. */
  async at<T>(name: string, work: (service: SessionService) => Promise<T>): Promise<T> {
    const { service } = this.get(name);
    try {
      const result = await work(service);
      this.#answered(name);
      return result;
    } catch (error) {
      throw this.#failed(name, error);
    }
  }

  /** Asks these places at the same time. A place that does not answer in time is skipped and counts as silent. */
  async ask<T>(places: readonly KnownPlace[], question: Question<T>): Promise<readonly T[]> {
    const asked = places.filter(({ problem }) => problem === undefined);
    const answers = await Promise.all(asked.map(({ name }) => this.#askOne(name, question)));
    return answers.flatMap((answer) => (answer === undefined ? [] : [answer.value]));
  }

  /** What ran at the other used places when they last answered, without idle shells. */
  runningExcept(name: string | null): readonly SessionName[] {
    const others = this.used.filter((place) => place.name !== name);
    return others.flatMap((place) =>
      this.#stateOf(place.name)
        .running.filter(({ isIdle }) => !isIdle)
        .map(({ id, name: named, place: at }) => ({ id, name: named, place: at })),
    );
  }

  /** Asks used places again what runs there. For a place that does not answer, its last answer is used. */
  async refresh(except: string | null = null): Promise<readonly RunningSession[]> {
    const places = this.used.filter(({ name }) => name !== except);
    await this.ask(places, async (service, name) => this.noteRunning(name, await service.running()));
    return places.flatMap(({ name }) => this.#stateOf(name).running);
  }

  /** Stores only a few fields of each session, because a fleet has thousands of sessions. */
  noteRunning(name: string, running: readonly RunningSession[]): void {
    this.#stateOf(name).running = running.map(({ id, name: named, place, isIdle }) => ({
      id,
      name: named,
      place,
      isIdle,
    }));
  }

  /** The places that did not answer the last time. */
  silent(): readonly SilentPlace[] {
    return this.all.flatMap(({ name, problem = this.#stateOf(name).problem }) => {
      return problem === undefined ? [] : [{ place: name, problem }];
    });
  }

  /** Calls `listener` with each place that answers for the first time. Returns a function that removes the listener. */
  onUsed(listener: (place: KnownPlace) => void): () => void {
    this.#onUsed.add(listener);
    return () => this.#onUsed.delete(listener);
  }

  async #askOne<T>(name: string, question: Question<T>): Promise<{ readonly value: T } | undefined> {
    const state = this.#stateOf(name);
    const hasFailed = performance.now() - state.failedMs < FORGIVEN_MS;
    const asked = this.at(name, (service) => question(service, name)).then(
      (value) => ({ value }),
      () => undefined,
    );
    const answer = await withTimeout(hasFailed ? 0 : this.#patienceMs, asked);
    if (!answer && state.problem === undefined) {
      state.problem = `no answer in ${this.#patienceMs / 1000} s`;
      state.failedMs = performance.now();
    }
    return answer;
  }

  #answered(name: string): void {
    const state = this.#stateOf(name);
    state.problem = undefined;
    state.failedMs = Number.NEGATIVE_INFINITY;
    if (state.isUsed) return;
    state.isUsed = true;
    for (const listener of this.#onUsed) listener(this.get(name));
  }

  #failed(name: string, error: unknown): unknown {
    if (!(error instanceof LimpetError)) return error;
    const state = this.#stateOf(name);
    if (isOutOfReach(error)) {
      state.problem = error.message;
      state.failedMs = performance.now();
    }
    const { code, message, undeliveredBytes, sessionId } = error;
    return new LimpetError(code, `${name}: ${message}`, { cause: error, undeliveredBytes, sessionId });
  }

  #stateOf(name: string): PlaceState {
    const known = this.#states.get(name);
    if (known) return known;
    const state = { isUsed: false, running: [], problem: undefined, failedMs: Number.NEGATIVE_INFINITY };
    this.#states.set(name, state);
    return state;
  }
}

function fixedPlaces(places: readonly KnownPlace[]): PlaceSource {
  const byName = new Map(places.map((place) => [place.name, place]));
  return { all: () => places, find: (name) => byName.get(name) };
}

const OUT_OF_REACH: ReadonlySet<string> = new Set([
  "PLACE_UNREACHABLE",
  "PLACE_NO_NODE",
  "PLACE_UNSUPPORTED",
  "LINK_LOST",
  "FLEET_UNREACHABLE",
  "HOST_GONE",
  "HOST_NOT_RESPONDING",
  "HOST_START_FAILED",
]);

/** Whether the place did not answer, unlike one that answered with a refusal. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof LimpetError && OUT_OF_REACH.has(error.code);
}
