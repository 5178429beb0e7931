/** A fleet on three NATS servers, of which the one that decides is killed while lines are typed into a session. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test, vi } from "vitest";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { LEASES } from "../../../src/fleet/registry/records.ts";
import { type FleetHostProcess, startFleetHost } from "../../support/fleet/fleet-host.ts";
import { allUp, openLedger, requireTrue, typeDuring, typeLine } from "../../support/fleet/ledger.ts";
import { type NatsCluster, startNatsCluster } from "../../support/fleet/nats-cluster.ts";
import type { NatsServer } from "../../support/fleet/nats-server.ts";
import { skipWithout } from "../../support/needs.ts";
import { isLong, until } from "../../support/sessions.ts";

const { setUp, tearDown } = skipWithout("nats-server");
const ROUNDS = isLong ? 10 : 1;
const PATIENCE_MS = isLong ? 20_000 : 60_000;
vi.setConfig({ testTimeout: ROUNDS * 120_000, hookTimeout: 180_000 });

let folder: string;
let nats: NatsCluster;
let host: FleetHostProcess;
let door: FleetDoor;
setUp(async () => {
  folder = mkdtempSync(join(tmpdir(), "limpet-cluster-"));
  nats = await startNatsCluster();
  // Longer than the servers take to choose a leader, as in a real fleet.
  host = startFleetHost({ url: nats.url, name: "a", leaseSeconds: 15 });
  door = new FleetDoor({ access: { url: nats.url } });
  await allUp(door, ["a"], 120_000);
  // While the servers find each other, a message between them may be lost, and a lease be renewed late.
  const answers = async () => {
    const sessions = await door
      .clientOf("a")
      .list({ ended: false })
      .catch(() => undefined);
    return sessions !== undefined;
  };
  await until(answers, "the host answers", 120_000);
});
tearDown(async () => {
  await door?.close();
  await host?.close();
  await nats?.close();
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

async function leader(): Promise<NatsServer> {
  let found: NatsServer | undefined;
  const isFound = async () => {
    found = await nats.leaderOf(LEASES);
    return found !== undefined;
  };
  await until(isFound, "the leases have a leader", 60_000);
  return found as NatsServer;
}

test("nothing runs twice and nothing is lost when the leader of three NATS servers is killed", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const ledger = await openLedger(door, host, folder);
    let killed: NatsServer | undefined;
    const fault = async () => {
      killed = await leader();
      await sleep(Math.random() * 300);
      await killed.kill();
      // The two others choose another leader, and serve.
      await until(async () => (await leader()) !== killed, "another server leads", 60_000);
    };

    const acting = fault();
    await typeDuring(door, ledger, acting);
    await acting;
    await allUp(door, ["a"], PATIENCE_MS);
    const fresh = new FleetDoor({ access: { url: nats.url } });
    await allUp(fresh, ["a"], PATIENCE_MS).finally(() => fresh.close());

    await typeLine(door, ledger);
    await requireTrue(ledger, { door, where: `round ${round}`, isLost: false });
    await killed?.start();
    // One fault at a time: two servers out of three must be there.
    await until(() => nats.isWhole(), "the server has caught up", 120_000);
  }
});
