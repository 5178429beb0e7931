/**
 * A host, its network, its clock, NATS or a door fails while lines are typed into sessions. Each line that was
 * acknowledged is there once, each other one at most once, and soon every host and session has one true state.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test, vi } from "vitest";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { type CuttableNetwork, cuttableNetwork } from "../../support/fleet/cuttable-network.ts";
import { type FleetHostProcess, startFleetHost } from "../../support/fleet/fleet-host.ts";
import { type JumpingClock, jumpingClock } from "../../support/fleet/jumping-clock.ts";
import {
  allUp,
  type Ledger,
  nextLine,
  openLedger,
  requireTrue,
  typeDuring,
  typeLine,
} from "../../support/fleet/ledger.ts";
import { type NatsServer, startNats } from "../../support/fleet/nats-server.ts";
import { MAIN } from "../../support/mcp.ts";
import { needs, skipWithout } from "../../support/needs.ts";
import { isLong, until } from "../../support/sessions.ts";

const { setUp, tearDown } = skipWithout("nats-server");
/** Of each kind: with those of a cluster, a hundred. */
const ROUNDS = isLong ? 15 : 1;
/** A machine that runs many tests at once is not held to the time. */
const PATIENCE_MS = isLong ? 20_000 : 60_000;
vi.setConfig({ testTimeout: ROUNDS * 120_000, hookTimeout: 180_000 });

const hasNetwork = needs("nats-server", "root", "ip", "iptables");
const hasClock = needs("nats-server", "faketime");
const NAMES = ["a", "b"];

let folder: string;
let nats: NatsServer;
let network: CuttableNetwork | undefined;
let clock: JumpingClock | undefined;
let hosts: readonly FleetHostProcess[] = [];
let door: FleetDoor;
setUp(async () => {
  folder = mkdtempSync(join(tmpdir(), "limpet-faults-"));
  nats = await startNats();
  network = hasNetwork ? await cuttableNetwork(() => nats.port, folder) : undefined;
  clock = hasClock ? jumpingClock(folder) : undefined;
  const hit = { inside: network?.inside ?? [], env: clock?.env ?? {} };
  hosts = NAMES.map((name, index) =>
    startFleetHost({ url: nats.url, name, leaseSeconds: 5, ...(index === 0 ? hit : {}) }),
  );
  door = new FleetDoor({ access: { url: nats.url } });
  await allUp(door, NAMES, 60_000);
});
tearDown(async () => {
  await door?.close();
  await Promise.all(hosts.map((host) => host.close()));
  await network?.close();
  await nats?.close();
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

const moment = () => sleep(Math.random() * 300);

const seenAs = (host: FleetHostProcess, state: string) =>
  until(
    async () => (await door.hosts()).find(({ name }) => name === host.name)?.state === state,
    `${host.name} is ${state}`,
    60_000,
  );

/** A command of another door. */
function otherDoor(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const own = { LIMPET_FLEET_NATS: nats.url, XDG_CONFIG_HOME: folder, LIMPET_HOME: folder };
  return spawn(process.execPath, [MAIN, ...words], { env: { ...process.env, ...own, ...env }, stdio: "ignore" });
}

/** `fault` hits the first host, while lines are typed into sessions of both. */
async function survive(fault: (hit: Ledger) => Promise<void>, { killsSessions = false } = {}): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const ledgers = await Promise.all(hosts.map((host) => openLedger(door, host, folder)));
    const [hit] = ledgers as [Ledger, ...Ledger[]];

    const acting = moment().then(() => fault(hit));
    await Promise.all(ledgers.map((ledger) => typeDuring(door, ledger, acting)));
    await acting;
    await allUp(door, NAMES, PATIENCE_MS);

    for (const ledger of ledgers) {
      const isLost = killsSessions && ledger === hit;
      if (!isLost) await typeLine(door, ledger);
      await requireTrue(ledger, { door, where: `round ${round}, host ${ledger.host.name}`, isLost });
    }
  }
}

test("nothing runs twice and nothing is lost when a host is killed and started again", async () => {
  const fault = async ({ host }: Ledger) => {
    await host.kill();
    await moment();
    host.start();
  };

  await survive(fault, { killsSessions: true });
});

test("nothing runs twice and nothing is lost when a host is stopped for longer than its lease", async () => {
  await survive(async ({ host }) => {
    host.signal("SIGSTOP");
    await seenAs(host, "unreachable");
    host.signal("SIGCONT");
  });
});

test("nothing runs twice and nothing is lost when NATS is killed and forgets everything", async () => {
  await survive(async () => {
    await nats.kill();
    nats.empty();
    await moment();
    await nats.start();
  });
});

test("nothing runs twice and nothing is lost when another door is killed while it types", async () => {
  await survive(async ({ host, id }) => {
    const other = otherDoor(["send", `${host.name}/${id}`, nextLine(), "--enter"]);
    const ended = once(other, "exit");
    await moment();
    other.kill("SIGKILL");
    await ended;
  });
});

test.skipIf(!hasNetwork)(
  "nothing runs twice and nothing is lost when packets between a host and NATS are dropped",
  async () => {
    await survive(async ({ host }) => {
      network?.cut();
      await seenAs(host, "unreachable");
      network?.heal();
    });
  },
);

test.skipIf(!hasClock)(
  "nothing runs twice and nothing is lost when the clocks of a host and of a door jump by hours",
  async () => {
    await survive(async ({ host }) => {
      for (const hours of [6, -6, 0]) {
        clock?.jump(hours);
        const isFine = async () => (await once(otherDoor(["fleet", "status"], clock?.env), "exit"))[0] === 0;
        await until(isFine, `another door sees all hosts ${hours} hours away`, 60_000);
        await seenAs(host, "up");
      }
    });
  },
);
