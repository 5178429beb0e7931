/** Sessions here and at the places of a person, for an agent. */
import { hostname } from "node:os";
import type { SessionService } from "../../service/session-service.ts";
import { connectPlace } from "../connect-place.ts";
import { type NamedPlaces, placeOf } from "../place-address.ts";
import { placedService } from "./placed-service.ts";
import { SpanningService } from "./spanning-service.ts";

interface ConnectPlacesOptions {
  readonly here: SessionService;
  readonly places: NamedPlaces;
  /** limpet's own directory on this machine. */
  readonly stateDirectory: string;
  /** The folder here that the sessions belong to, at every place. */
  readonly project: string;
}

interface ConnectedPlaces {
  readonly sessions: SessionService;
  /** The sessions continue. */
  disconnect(): void;
}

/** Each place is connected at its first call. */
export function connectPlaces({ here, places, stateDirectory, project }: ConnectPlacesOptions): ConnectedPlaces {
  // Not a path there, and not the same as that of another machine.
  const farProject = `${hostname()}:${project}`;
  const clients = Object.keys(places).map((name) => {
    // The person of an agent answers what ssh asks in a session.
    const client = connectPlace({ place: placeOf(name, places), stateDirectory, project: farProject, asks: "session" });
    return { name, client, service: placedService(client, name) };
  });
  return {
    sessions: new SpanningService({ here, places: clients }),
    disconnect() {
      for (const { client } of clients) client.disconnect();
    },
  };
}
