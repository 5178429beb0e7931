/** Finds sessions of a fleet by their names without a host: `dev` instead of `gpu-1/dev`. */
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { SessionKey, SessionName } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";

/** The host that runs the only session with this name; undefined if none or several do. Pure. */
export function hostWithName(running: readonly SessionName[], name: string): string | undefined {
  const [found, ...more] = running.filter((session) => session.name === name);
  return more.length === 0 ? (found?.place ?? undefined) : undefined;
}

/** True for a name without a host. False for an id, which is unique only within its host. Pure. */
export function isNameOnly(key: SessionKey): key is string {
  return typeof key === "string" && !/^\d+$/.test(key) && parseSessionKey(key).place === null;
}

/** Wraps a service so that a key may be a name without a host. `hostOf` returns the host of a session with a name. */
export function withNames(
  service: SessionService,
  hostOf: (name: string) => Promise<string | undefined>,
): SessionService {
  const resolve = async (key: SessionKey): Promise<SessionKey> => {
    const host = isNameOnly(key) ? await hostOf(key) : undefined;
    return host === undefined ? key : `${host}/${key}`;
  };
  const keyed =
    <A extends readonly unknown[], R>(method: (key: SessionKey, ...rest: A) => Promise<R>) =>
    async (key: SessionKey, ...rest: A): Promise<R> =>
      await method(await resolve(key), ...rest);
  const streamed = <O, P>(method: (key: SessionKey, options: O) => AsyncIterable<P>) =>
    async function* (key: SessionKey, options: O): AsyncGenerator<P, void, undefined> {
      yield* method(await resolve(key), options);
    };
  const resolved = async (request: TurnRequest): Promise<TurnRequest> => {
    const { on } = request;
    if (on.kind === "session") return { ...request, on: { ...on, key: await resolve(on.key) } };
    if (on.kind !== "several" || on.keys === "running") return request;
    return { ...request, on: { ...on, keys: await Promise.all(on.keys.map(resolve)) } };
  };
  return {
    ...service,
    turn: async (request) => await service.turn(await resolved(request)),
    write: keyed(service.write),
    passwordPrompt: keyed(service.passwordPrompt),
    answerPrompt: keyed(service.answerPrompt),
    output: streamed(service.output),
    transcript: streamed(service.transcript),
    find: keyed(service.find),
    processes: keyed(service.processes),
    history: keyed(service.history),
    hold: keyed(service.hold),
    release: keyed(service.release),
    freeze: keyed(service.freeze),
    thaw: keyed(service.thaw),
    rename: keyed(service.rename),
    signal: keyed(service.signal),
    restart: keyed(service.restart),
    resize: keyed(service.resize),
    lendSize: keyed(service.lendSize),
    record: keyed(service.record),
    stopRecording: keyed(service.stopRecording),
    close: keyed(service.close),
  };
}
