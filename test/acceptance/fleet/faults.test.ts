/**
 * A host, NATS or a door fails while lines are typed into sessions. Each line that was acknowledged is there once, each
 * other one at most once, and soon every host and session has one true state.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { type FleetHostProcess, startFleetHost } from "../../support/fleet/fleet-host.ts";
import { type NatsServer, startNats } from "../../support/fleet/nats-server.ts";
import { MAIN } from "../../support/mcp.ts";
import { skipWithout } from "../../support/needs.ts";
import { isLong, until } from "../../support/sessions.ts";

skipWithout("nats-server");
const ROUNDS = isLong ? 100 : 4;
vi.setConfig({ testTimeout: ROUNDS * 60_000, hookTimeout: 180_000 });

let folder: string;
let nats: NatsServer;
let hosts: readonly FleetHostProcess[] = [];
let door: FleetDoor;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "limpet-faults-"));
  nats = await startNats();
  hosts = ["a", "b"].map((name) => startFleetHost({ url: nats.url, name, leaseSeconds: 2 }));
  door = new FleetDoor({ access: { url: nats.url } });
  await allUp();
});
afterAll(async () => {
  await door?.close();
  await Promise.all(hosts.map((host) => host.close()));
  await nats?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

async function allUp(): Promise<void> {
  let now = "";
  const areUp = async () => {
    const known = await door.hosts();
    now = JSON.stringify(known);
    return known.length === hosts.length && known.every(({ state }) => state === "up");
  };
  await until(areUp, () => `all hosts are up: ${now}`, 60_000);
}

/** A session that writes each line that it gets into a file. */
interface Ledger {
  readonly host: FleetHostProcess;
  readonly id: number;
  readonly file: string;
  readonly acknowledged: Set<string>;
}

let count = 0;
const next = () => {
  count += 1;
  return count;
};

async function openLedger(host: FleetHostProcess): Promise<Ledger> {
  const file = join(folder, `${host.name}-${next()}`);
  const command = `echo pid $$ > ${file}; while read line; do echo "$line" >> ${file}; echo "got $line"; done`;
  const { id } = await startSession(door.clientOf(host.name), { command, shell: "/bin/sh" });
  await until(() => existsSync(file), "the ledger is open");
  return { host, id, file, acknowledged: new Set() };
}

const linesOf = ({ file }: Ledger) => readFileSync(file, "utf8").split("\n").slice(1, -1);
const pidOf = ({ file }: Ledger) => Number(/pid (\d+)/.exec(readFileSync(file, "utf8"))?.[1]);

/** Types lines through the door until the fault is over. What was not answered is unknown, and not typed again. */
async function typeDuring(ledger: Ledger, fault: Promise<void>): Promise<void> {
  let isOver = false;
  void fault.finally(() => {
    isOver = true;
  });
  const typeOne = async () => {
    const text = `line-${next()}`;
    const turn = door.clientOf(ledger.host.name).turn({
      caller: "test",
      requestId: text,
      on: { kind: "session", key: ledger.id },
      input: { strokes: [{ kind: "text", text: `${text}\n` }] },
      wait: { kind: "output", until: `got ${text}\\b`, deadlineMs: 60_000 },
    });
    await turn.then(
      ({ result }) => result?.reason === "matched" && ledger.acknowledged.add(text),
      () => undefined,
    );
  };
  do {
    // A host that is gone for good keeps no caller waiting here.
    await Promise.race([typeOne(), fault.then(() => sleep(5_000))]);
  } while (!isOver);
}

interface Fault {
  readonly name: string;
  readonly killsSessions: boolean;
  act(ledger: Ledger): Promise<void>;
}

const moment = () => sleep(Math.random() * 300);

const FAULTS: readonly Fault[] = [
  {
    name: "the host is killed and started again",
    killsSessions: true,
    async act({ host }) {
      await host.kill();
      await moment();
      host.start();
    },
  },
  {
    name: "the host is stopped for longer than its lease",
    killsSessions: false,
    async act({ host }) {
      host.signal("SIGSTOP");
      const isSeen = async () => (await door.hosts()).find(({ name }) => name === host.name)?.state === "unreachable";
      await until(isSeen, "its door sees it", 60_000);
      host.signal("SIGCONT");
    },
  },
  {
    name: "NATS is killed and forgets everything",
    killsSessions: false,
    async act() {
      await nats.kill();
      nats.empty();
      await moment();
      await nats.start();
    },
  },
  {
    name: "another door is killed while it types",
    killsSessions: false,
    async act({ host, id }) {
      const words = [MAIN, "send", `${host.name}/${id}`, `line-${next()}`, "--enter"];
      const env = { ...process.env, LIMPET_FLEET_NATS: nats.url, XDG_CONFIG_HOME: folder, LIMPET_HOME: folder };
      const other = spawn(process.execPath, words, { env, stdio: "ignore" });
      const ended = once(other, "exit");
      await moment();
      other.kill("SIGKILL");
      await ended;
    },
  },
];

test(`nothing runs twice and nothing acknowledged is lost, in ${ROUNDS} rounds of faults`, async () => {
  let acknowledged = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const fault = FAULTS[round < FAULTS.length ? round : Math.floor(Math.random() * FAULTS.length)] as Fault;
    const ledgers = await Promise.all(hosts.map(openLedger));
    const [hit] = ledgers as [Ledger, ...Ledger[]];

    const acting = moment().then(() => fault.act(hit));
    await Promise.all(ledgers.map((ledger) => typeDuring(ledger, acting)));
    await allUp();

    for (const ledger of ledgers) {
      const where = `${fault.name}, round ${round}, host ${ledger.host.name}`;
      const isLost = fault.killsSessions && ledger === hit;
      const listed = await door.clientOf(ledger.host.name).list({ ended: true });
      expect(
        listed.find(({ id }) => id === ledger.id),
        where,
      ).toMatchObject({ lost: isLost });
      const lines = linesOf(ledger);
      acknowledged += ledger.acknowledged.size;
      expect(new Set(lines).size, `${where}: no line twice`).toBe(lines.length);
      expect(
        [...ledger.acknowledged].filter((line) => !lines.includes(line)),
        `${where}: none lost`,
      ).toEqual([]);
      const pid = pidOf(ledger);
      if (!isLost) await door.clientOf(ledger.host.name).close(ledger.id, { force: true });
      await until(() => !existsSync(`/proc/${pid}`), `${where}: its program is gone`);
    }
  }
  expect(acknowledged).toBeGreaterThan(ROUNDS);
});
