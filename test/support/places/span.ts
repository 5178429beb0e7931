/** Sessions here and at places as one service, with its tools, for one test. */
import { onTestFinished } from "vitest";
import { placedService } from "../../../src/places/spanning/placed-service.ts";
import { SpanningService } from "../../../src/places/spanning/spanning-service.ts";
import { LocalService } from "../../../src/service/local-service.ts";
import { SessionRegistry } from "../../../src/session/registry/session-registry.ts";
import { openToolsOn } from "../tools.ts";
import { clientMaker, type TestPlace, testPlace } from "./place.ts";

/** Here, at `build`, and at others that are given. */
export function span({
  place = testPlace(),
  others = {},
}: {
  place?: TestPlace;
  others?: Record<string, readonly string[]>;
} = {}) {
  const registry = new SessionRegistry();
  onTestFinished(() => registry.closeAll({ force: true }).then(() => undefined));
  const places = [
    { name: "build", service: placedService(place.client(), "build") },
    ...Object.entries(others).map(([name, via]) => ({ name, service: placedService(clientMaker({ via })(), name) })),
  ];
  const sessions = new SpanningService({ here: new LocalService(registry), places, patienceMs: 20_000 });
  return {
    place,
    sessions,
    tools: openToolsOn(
      sessions,
      places.map(({ name }) => name),
    ),
  };
}
