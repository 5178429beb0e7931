/** The service of a place. Its answers contain the name of the place. Keys may start with that name. */

import { LimpetError } from "../../base/limpet-error.ts";
import type { EventPage } from "../../service/events/session-event.ts";
import type { PlacedKey } from "../../service/listing/session-key.ts";
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { SessionKey, SessionName } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { ReceiptOf, Undelivered } from "../../service/turn/receipt.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import { routeTurn } from "./route-turn.ts";

export function placedService(service: SessionService, place: string): SessionService {
  const at = <T extends SessionName>(session: T): T => ({ ...session, place });
  const ownKey = (key: SessionKey) => requireOwn(parseSessionKey(key), place);
  const ownTurn = (request: TurnRequest): TurnRequest => {
    const { on } = request;
    if (on.kind === "several")
      return on.keys === "running" ? request : { ...request, on: { ...on, keys: on.keys.map(ownKey) } };
    const routed = routeTurn(request);
    requireOwn({ place: routed.place, key: "" }, place);
    return routed.request;
  };
  const all = <T extends SessionName>(sessions: readonly T[]): readonly T[] => sessions.map(at);
  return {
    approvals: service.approvals,
    noteFarAct: (act) => service.noteFarAct(act),
    turn: async (request) => placedAnswer(await service.turn(ownTurn(request)), place),
    acknowledge: (delivered) => service.acknowledge(own(delivered)),
    giveBack: (undelivered) => service.giveBack("receipt" in undelivered ? own(undelivered) : undelivered),
    write: (key, input, options) => service.write(ownKey(key), input, options),
    passwordPrompt: async (key) => {
      const prompt = await service.passwordPrompt(ownKey(key));
      return prompt && at(prompt);
    },
    answerPrompt: (key, answer) => service.answerPrompt(ownKey(key), answer),
    output: (key, options) => service.output(ownKey(key), options),
    transcript: (key, options) => service.transcript(ownKey(key), options),
    find: async (key) => at(await service.find(ownKey(key))),
    running: async () => all(await service.running()),
    // Changes the listed objects instead of copying them: each list is new, and a copy of thousands would cost
    // megabytes.
    list: async (options) => (await service.list(options)).map((session) => Object.assign(session, { place })),
    processes: (key) => service.processes(ownKey(key)),
    history: (key) => service.history(ownKey(key)),
    events: (options) => placedEvents(service.events(options), place),
    hold: (key, hold) => service.hold(ownKey(key), hold),
    release: (key, options) => service.release(ownKey(key), options),
    freeze: (key) => service.freeze(ownKey(key)),
    thaw: (key) => service.thaw(ownKey(key)),
    rename: async (key, name) => at(await service.rename(ownKey(key), name)),
    signal: async (key, request) => at(await service.signal(ownKey(key), request)),
    restart: async (key, options) => {
      const restarted = await service.restart(ownKey(key), options);
      return { ...at(restarted), former: at(restarted.former) };
    },
    resize: async (key, size, options) => {
      const resized = await service.resize(ownKey(key), size, options);
      return { ...at(resized), running: all(resized.running) };
    },
    lendSize: (key, loan) => service.lendSize(ownKey(key), loan),
    record: (key, options) => service.record(ownKey(key), options),
    stopRecording: (key, options) => service.stopRecording(ownKey(key), options),
    close: async (key, options) => {
      const closed = await service.close(ownKey(key), options);
      return { ...at(closed), running: all(closed.running) };
    },
  };
}

function placedAnswer(answer: TurnAnswer, place: string): TurnAnswer {
  const { session, around, receipt } = answer;
  const at = <T extends SessionName>(each: T): T => ({ ...each, place });
  return {
    ...answer,
    session: at(session),
    around: { ...around, running: around.running.map(at), leftovers: around.leftovers.map(at) },
    receipt: receipt && { ...receipt, place },
  };
}

async function* placedEvents(pages: AsyncIterable<EventPage>, place: string): AsyncGenerator<EventPage, void> {
  for await (const page of pages) {
    const events = page.events.map((event) => {
      const { session } = event;
      return session === null ? event : { ...event, session: { ...session, place } };
    });
    yield { ...page, events: events as EventPage["events"] };
  }
}

/** The receipt as the place itself issued it, without the name of the place. */
function own<T extends ReceiptOf | Extract<Undelivered, ReceiptOf>>({ caller, receipt }: T): ReceiptOf {
  const { place: _place, ...given } = receipt;
  return { caller, receipt: given };
}

function requireOwn({ place, key }: PlacedKey, own: string): SessionKey {
  if (place === null || place === own) return key;
  throw new LimpetError("BAD_OPTION", `${JSON.stringify(`${place}/${key}`)} is not at ${own}. Leave one of them out.`);
}
