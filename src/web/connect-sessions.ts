/** The sessions that the web server shows: those of the user's host and of all places, as a person sees them. */
import { connectHost } from "../host/client/connect-host.ts";
import type { HostClient } from "../host/client/host-client.ts";
import { connectPlace } from "../places/connect-place.ts";
import { type NamedPlaces, placeOf } from "../places/place-address.ts";
import { placedService } from "../places/spanning/placed-service.ts";
import { SpanningService } from "../places/spanning/spanning-service.ts";
import type { SessionService } from "../service/session-service.ts";

export interface ConnectedSessions {
  /** The host of this machine. */
  readonly here: HostClient;
  /** Here and at all places. */
  readonly sessions: SessionService;
  /** The sessions continue. */
  disconnect(): void;
}

/** Sessions elsewhere, together with those here. */
export type Span = (here: SessionService) => Pick<ConnectedSessions, "sessions" | "disconnect">;

/**
 * Each host is connected at its first call, and again at the next call after it has gone. `places`: names of
 * `config.json`, or something else that spans machines.
 */
export function connectSessions(stateDirectory: string, places: NamedPlaces | Span): ConnectedSessions {
  const here = connectHost({ stateDirectory, reach: "user" });
  if (typeof places === "function") {
    const { sessions, disconnect } = places(here);
    const both = () => {
      disconnect();
      here.disconnect();
    };
    return { here, sessions, disconnect: both };
  }
  const clients = Object.keys(places).map((name) => {
    // Nobody can answer questions of ssh here: a person logs in with limpet ls --at NAME.
    const client = connectPlace({ place: placeOf(name, places), stateDirectory, asks: "nobody" });
    return { name, client, service: placedService(client, name) };
  });
  return {
    here,
    sessions: clients.length === 0 ? here : new SpanningService({ here, places: clients }),
    disconnect() {
      for (const { disconnect } of [here, ...clients.map(({ client }) => client)]) disconnect();
    },
  };
}
