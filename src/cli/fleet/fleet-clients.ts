/** The command line as a client of a fleet: of one host, or of all hosts. */
import { LimpetError } from "../../base/limpet-error.ts";
import { FleetDoor } from "../../fleet/door/fleet-door.ts";
import { fleetService } from "../../fleet/door/fleet-service.ts";
import { keepNewSpaceSmall } from "../../fleet/door/list-memory.ts";
import { noSessionsHere } from "../../fleet/door/no-sessions-here.ts";
import { doorIn } from "../../fleet/nats/door-in.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import { placedService } from "../../places/spanning/placed-service.ts";
import type { Args } from "../args/command.ts";
import { textOf } from "../args/read-args.ts";
import { fleetSetting } from "../settings/fleet-setting.ts";
import { accessOf } from "./nats-args.ts";

/**
 * Connects to the fleet. `project`: that of an agent; null: names mean the sessions that a person has started through
 * the fleet, which have no project. Default: a person sees the sessions of all projects.
 */
export function openFleetClient(
  args: Args,
  options: { readonly project?: string | null; readonly onChange?: () => void } = {},
): FleetDoor {
  keepNewSpaceSmall();
  const setting = fleetSetting();
  const access = accessOf(args, textOf(args, "nats"), setting);
  return new FleetDoor({ access, name: setting?.door ?? doorIn(access.creds), ...options });
}

/** One host by its name. Its answers contain that name. */
export function hostOfFleet(door: FleetDoor, host: string): HostClient {
  const client = door.clientOf(host);
  return { ...client, ...placedService(client, host), disconnect: () => void door.close() };
}

/** All hosts, or those that match an expression of labels. */
export function allOfFleet(door: FleetDoor, labels: string | undefined): HostClient {
  const one = async () => {
    throw needsOneHost();
  };
  const refuse = new Proxy({} as HostClient["files"], { get: () => one });
  return {
    ...fleetService({ door, labels, here: noSessionsHere() }),
    isFar: true,
    hostStatus: one,
    otherHosts: async () => [],
    stopHost: one,
    onLink: () => () => undefined,
    files: refuse,
    async *audit() {
      yield* [];
      await one();
    },
    disconnect: () => void door.close(),
  };
}

/** The host of the session with this key, which may be a name without a host. */
export async function hostOfSession(door: FleetDoor, labels: string | undefined, key: string): Promise<HostClient> {
  const { place } = await allOfFleet(door, labels).find(key);
  return hostOfFleet(door, place ?? "");
}

export function needsOneHost(): LimpetError {
  return new LimpetError("BAD_OPTION", "This needs one host of the fleet. Name it with --at HOST.");
}

const FLEET = /^fleet(?::(.*))?$/s;

/** The labels of `fleet:LABELS`, and null for `fleet`; undefined for any other address. */
export function fleetLabels(address: string): string | null | undefined {
  const found = FLEET.exec(address);
  return found ? (found[1] ?? null) : undefined;
}
