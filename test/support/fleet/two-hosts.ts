/** A fleet of two hosts, gpu-1 and cpu-1, with a door to them, on a NATS server of its own. */
import { isDeepStrictEqual } from "node:util";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { fleetService } from "../../../src/fleet/door/fleet-service.ts";
import { noSessionsHere } from "../../../src/fleet/door/no-sessions-here.ts";
import type { SessionService } from "../../../src/service/session-service.ts";
import { skipWithout } from "../needs.ts";
import { until } from "../sessions.ts";
import { type FleetHostProcess, startFleetHost } from "./fleet-host.ts";
import { type NatsServer, startNats } from "./nats-server.ts";

type Env = Readonly<Record<string, string>>;

export let nats: NatsServer;
let first: FleetHostProcess;
/** cpu-1. */
export let second: FleetHostProcess;
export let door: FleetDoor;
export let sessions: SessionService;

/** For all tests of the file that calls it, with more variables for each host. */
export function startTwoHosts({
  gpuEnv = {},
  cpuEnv = {},
}: {
  readonly gpuEnv?: Env;
  readonly cpuEnv?: Env;
} = {}): void {
  const { setUp, tearDown } = skipWithout("nats-server");
  setUp(async () => {
    nats = await startNats();
    first = startFleetHost({ url: nats.url, name: "gpu-1", labels: ["gpu", "zone=a"], env: gpuEnv });
    second = startFleetHost({ url: nats.url, name: "cpu-1", labels: ["zone=b"], env: cpuEnv });
    door = new FleetDoor({ access: { url: nats.url } });
    sessions = fleetService({ door, labels: undefined, here: noSessionsHere() });
    await becomes({ "cpu-1": "up", "gpu-1": "up" });
  });
  tearDown(async () => {
    await door?.close();
    await Promise.all([first?.close(), second?.close()]);
    await nats?.close();
  });
}

/** Waits until the door knows exactly these hosts, in these states. */
export async function becomes(states: Readonly<Record<string, string>>, through: FleetDoor = door): Promise<void> {
  let now = {};
  const isSo = async () => {
    now = Object.fromEntries((await through.hosts()).map(({ name, state }) => [name, state]));
    return isDeepStrictEqual(now, states);
  };
  await until(isSo, () => `${JSON.stringify(states)}, now ${JSON.stringify(now)}`, 60_000);
}

export const on = (host: string) => door.clientOf(host);
