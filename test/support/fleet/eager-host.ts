/** A host that promises more than it can hold. */
import { onTestFinished } from "vitest";
import { doorRules } from "../../../src/cli/settings/fleet-setting.ts";
import type { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { joinFleet } from "../../../src/fleet/host/join-fleet.ts";
import { runHost } from "../../../src/host/run-host.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { hostDirectory } from "../host/host.ts";
import { allUp } from "./ledger.ts";

interface EagerHostOptions {
  readonly name: string;
  /** Of the NATS server. */
  readonly url: string;
  readonly door: FleetDoor;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A host with room for one session, which runs. Its bids say that it is empty. Afterwards it stays unreachable. */
export async function startEagerHost({ name, url, door, env }: EagerHostOptions): Promise<void> {
  const stateDirectory = hostDirectory();
  const rules = doorRules({ ...env });
  const join = joinFleet({ access: { url }, name, labels: [name], rules, onProblem: () => undefined });
  const stop = new AbortController();
  const ended = runHost({
    stateDirectory,
    maxSessions: 1,
    listener: (host) => join({ ...host, maxSessions: 256, countRunning: () => 0 }),
    signal: stop.signal,
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  await allUp(door, [name], 60_000);
  await startSession(door.clientOf(name), { command: "cat", shell: "/bin/sh" });
}
