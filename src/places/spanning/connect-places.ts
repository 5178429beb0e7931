/** One service for the sessions of an agent, on this machine and at the user's places. */
import { hostname } from "node:os";
import type { SessionService } from "../../service/session-service.ts";
import { connectPlace } from "../connect-place.ts";
import { type NamedPlaces, placeOf } from "../place-address.ts";
import { placedService } from "./placed-service.ts";
import { SpanningService } from "./spanning-service.ts";

interface ConnectPlacesOptions {
  readonly here: SessionService;
  readonly places: NamedPlaces;
  /** limpet's state directory on this machine. */
  readonly stateDirectory: string;
  /** The folder on this machine that the sessions belong to, at every place. */
  readonly project: string;
}

interface ConnectedPlaces {
  readonly sessions: SessionService;
  /** Disconnects from all places. The sessions continue. */
  disconnect(): void;
}

/** Connects to each place at the first call for it. */
export function connectPlaces({ here, places, stateDirectory, project }: ConnectPlacesOptions): ConnectedPlaces {
  // With the host name, so that it differs from paths at the place and from projects of other machines.
  const farProject = `${hostname()}:${project}`;
  const clients = Object.keys(places).map((name) => {
    // The user of the agent answers prompts of ssh in a session.
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
