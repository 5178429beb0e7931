/**
 * The sessions on this machine and at places as one service. A key such as `build/7` or the `place` of a turn decides
 * where a request goes. Lists, waits and events include all places. A slow or unreachable place does not delay the
 * answers of others: it is reported as silent.
 */

import type { ApprovalService } from "../../service/approvals/approval.ts";
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { SessionKey, SessionName } from "../../service/listing/session-name.ts";
import type { SilentPlace } from "../../service/listing/silent-place.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { farActOf, idOf } from "./far-act-of.ts";
import { type KnownPlace, KnownPlaces, type PlaceSource } from "./known-places.ts";
import { mergeEvents } from "./merge-events.ts";
import { routeTurn } from "./route-turn.ts";
import { spanningApprovals } from "./spanning-approvals.ts";
import { waitAcross } from "./wait-across.ts";

export interface SpanningOptions {
  readonly here: SessionService;
  /** Each place connects at its first call. */
  readonly places: readonly KnownPlace[] | PlaceSource;
  /** How long a place may take to answer when all of them are asked. Default: 5 s. */
  readonly patienceMs?: number;
}

/** Its methods are own fields, so that a spread copy of the object has them. */
export class SpanningService implements SessionService {
  readonly approvals: ApprovalService;
  readonly #here: SessionService;
  readonly #places: KnownPlaces;

  constructor({ here, places, patienceMs }: SpanningOptions) {
    this.#here = here;
    this.#places = new KnownPlaces(places, patienceMs === undefined ? {} : { patienceMs });
    this.approvals = spanningApprovals(here.approvals, this.#places);
  }

  readonly turn: SessionService["turn"] = async (request) => {
    const { on } = request;
    if (on.kind === "several") {
      const giveBack = ({ receipt }: TurnAnswer) => {
        if (receipt) this.giveBack({ caller: request.caller, receipt });
      };
      const turnAt = (place: string | null, own: TurnRequest) => this.#turnAt(place, own);
      return await this.#complete(await waitAcross(request, on, { places: this.#places, turnAt, giveBack }));
    }
    const { place, request: own } = routeTurn(request);
    // Asks meanwhile what runs at other places. The answer does not wait for that. A watching caller does not need it.
    if (request.isWatch !== true) void this.#places.refresh(place);
    return await this.#complete(await this.#turnAt(place, own));
  };

  readonly acknowledge: SessionService["acknowledge"] = (delivered) =>
    this.#serviceAt(delivered.receipt.place ?? null).acknowledge(delivered);

  readonly giveBack: SessionService["giveBack"] = (undelivered) => {
    if ("receipt" in undelivered) {
      this.#serviceAt(undelivered.receipt.place ?? null).giveBack(undelivered);
      return;
    }
    // Only the place that ran the request knows it; the others ignore this.
    for (const service of [this.#here, ...this.#places.used.map((place) => place.service)])
      service.giveBack(undelivered);
  };

  readonly noteFarAct: SessionService["noteFarAct"] = (act) => this.#here.noteFarAct(act);

  readonly write: SessionService["write"] = (key, input, options) =>
    this.#on(key, (at, own) => at.write(own, input, options));

  readonly passwordPrompt: SessionService["passwordPrompt"] = (key) =>
    this.#on(key, (at, own) => at.passwordPrompt(own));

  readonly answerPrompt: SessionService["answerPrompt"] = (key, answer) =>
    this.#on(key, (at, own) => at.answerPrompt(own, answer));

  readonly output: SessionService["output"] = (key, options) => {
    const { place, key: own } = parseSessionKey(key);
    return this.#serviceAt(place).output(own, options);
  };

  readonly transcript: SessionService["transcript"] = (key, options) => {
    const { place, key: own } = parseSessionKey(key);
    return this.#serviceAt(place).transcript(own, options);
  };

  readonly find: SessionService["find"] = (key) => this.#on(key, (at, own) => at.find(own));

  readonly running: SessionService["running"] = async () => {
    const [here, elsewhere] = await Promise.all([this.#here.running(), this.#places.refresh()]);
    return [...here, ...elsewhere];
  };

  readonly list: SessionService["list"] = async (options) => {
    const places = this.#places;
    const elsewhere = places.ask(places.all, async (service, name) => {
      const listed = await service.list(options);
      const running = listed.filter(({ exit, lost }) => exit === null && !lost);
      places.noteRunning(name, running);
      return listed;
    });
    return [...(await this.#here.list(options)), ...(await elsewhere).flat()];
  };

  readonly silentPlaces = (): readonly SilentPlace[] => this.#places.silent();

  readonly processes: SessionService["processes"] = (key) => this.#on(key, (at, own) => at.processes(own));

  readonly history: SessionService["history"] = (key) => this.#on(key, (at, own) => at.history(own));

  readonly events: SessionService["events"] = ({ signal }) =>
    mergeEvents({
      main: (until) => this.#here.events({ signal: until }),
      others: (add) => {
        const follow = ({ service }: KnownPlace) => add((until) => service.events({ signal: until }));
        for (const place of this.#places.used) follow(place);
        return this.#places.onUsed(follow);
      },
      signal,
    });

  readonly hold: SessionService["hold"] = (key, hold) => this.#on(key, (at, own) => at.hold(own, hold));

  readonly release: SessionService["release"] = (key, options) => this.#on(key, (at, own) => at.release(own, options));

  readonly freeze: SessionService["freeze"] = (key) => this.#on(key, (at, own) => at.freeze(own));

  readonly thaw: SessionService["thaw"] = (key) => this.#on(key, (at, own) => at.thaw(own));

  readonly rename: SessionService["rename"] = (key, name) => this.#on(key, (at, own) => at.rename(own, name));

  readonly signal: SessionService["signal"] = (key, request) => this.#on(key, (at, own) => at.signal(own, request));

  readonly restart: SessionService["restart"] = (key, options) => this.#on(key, (at, own) => at.restart(own, options));

  readonly resize: SessionService["resize"] = async (key, size, options) => {
    const resized = await this.#on(key, (at, own) => at.resize(own, size, options));
    return { ...resized, running: await this.#runningWith(resized.place, resized.running) };
  };

  readonly lendSize: SessionService["lendSize"] = (key, loan) => this.#on(key, (at, own) => at.lendSize(own, loan));

  readonly record: SessionService["record"] = (key, options) => this.#on(key, (at, own) => at.record(own, options));

  readonly stopRecording: SessionService["stopRecording"] = (key, options) =>
    this.#on(key, (at, own) => at.stopRecording(own, options));

  readonly close: SessionService["close"] = async (key, options) => {
    const { place, key: own } = parseSessionKey(key);
    const { caller, tool } = options;
    if (place !== null && caller !== undefined) {
      await this.#here.noteFarAct({ caller, place, tool, event: "close", session: idOf(own), text: "", command: null });
    }
    const closed = await this.#on(key, (at, there) => at.close(there, options));
    return { ...closed, running: await this.#runningWith(closed.place, closed.running) };
  };

  /** Acts at a place are audited and approved on this machine, where the user is. */
  async #turnAt(place: string | null, request: TurnRequest): Promise<TurnAnswer> {
    if (place === null) return await this.#here.turn(request);
    this.#places.get(place);
    const act = farActOf(place, request);
    if (act) await this.#here.noteFarAct(act);
    const { verdict } = request;
    const own = verdict ? { ...request, verdict: { ...verdict, approval: null } } : request;
    const answer = await this.#places.at(place, (service) => service.turn(own));
    const running = answer.around.running.map((session) => ({ ...session, isIdle: false }));
    this.#places.noteRunning(place, running);
    return answer;
  }

  /** Adds what runs at other places, and which used places do not answer. */
  async #complete(answer: TurnAnswer): Promise<TurnAnswer> {
    const { session, around } = answer;
    const used = new Set(this.#places.used.map(({ name }) => name));
    const silent = this.#places.silent().filter(({ place }) => used.has(place));
    const running = await this.#runningWith(session.place, around.running);
    return { ...answer, around: { ...around, running, ...(silent.length === 0 ? {} : { silent }) } };
  }

  /** Adds sessions of other places to `running`, which are those at `place`. */
  async #runningWith(place: string | null, running: readonly SessionName[]): Promise<readonly SessionName[]> {
    const here = place === null ? [] : (await this.#here.running()).filter(({ isIdle }) => !isIdle);
    return [...here, ...running, ...this.#places.runningExcept(place)];
  }

  #serviceAt(place: string | null): SessionService {
    return place === null ? this.#here : this.#places.get(place).service;
  }

  async #on<T>(key: SessionKey, work: (service: SessionService, own: SessionKey) => Promise<T>): Promise<T> {
    const { place, key: own } = parseSessionKey(key);
    if (place === null) return await work(this.#here, own);
    return await this.#places.at(place, (service) => work(service, own));
  }
}
