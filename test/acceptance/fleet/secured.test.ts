/** A fleet with what `limpet fleet init` writes: a host and a door with their own credentials, over TLS. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { fleetService } from "../../../src/fleet/door/fleet-service.ts";
import { noSessionsHere } from "../../../src/fleet/door/no-sessions-here.ts";
import { CopiedJournal } from "../../../src/fleet/journals/copied-journal.ts";
import { readJournalKey } from "../../../src/fleet/journals/journal-key.ts";
import { NAMES, NAMES_MAX_AGE_MS } from "../../../src/fleet/names/claim.ts";
import { connectNats } from "../../../src/fleet/nats/connect-nats.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { type Cli, openCli } from "../../support/cli.ts";
import { type FleetHostProcess, startFleetHost } from "../../support/fleet/fleet-host.ts";
import type { NatsServer } from "../../support/fleet/nats-server.ts";
import { startSecuredNats } from "../../support/fleet/secured-nats.ts";
import { skipWithout } from "../../support/needs.ts";
import { readOpenMetrics } from "../../support/read-open-metrics.ts";
import { errorOf, until } from "../../support/sessions.ts";

const { setUp, tearDown } = skipWithout("nats-server");
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let nats: NatsServer;
let fleet: string;
let host: FleetHostProcess;
let door: FleetDoor;
let cli: Cli;

setUp(async () => {
  cli = openCli();
  ({ server: nats, fleet } = await startSecuredNats([
    { kind: "host", name: "gpu-1" },
    { kind: "door", name: "laptop" },
  ]));
  const words = ["--creds", at("hosts/gpu-1.creds"), "--tls-ca", at("ca.crt"), "--journal-key", at("journal.key")];
  host = startFleetHost({ url: nats.url, name: "gpu-1", words: [...words, "--metrics", "127.0.0.1:0"] });
  door = openDoor("doors/laptop.creds", "laptop");
  await becomes("up");
});
tearDown(async () => {
  await door?.close();
  await host?.close();
  await nats?.close();
  await cli?.[Symbol.asyncDispose]();
});

const at = (file: string) => join(fleet, file);

const proofOf = (creds: string) => ["--nats", nats.url, "--creds", at(creds), "--tls-ca", at("ca.crt")];

function openDoor(creds: string, name: string): FleetDoor {
  return new FleetDoor({ access: { url: nats.url, creds: at(creds), tlsCa: at("ca.crt") }, name });
}

/** Whether the copy of a session of the host ends so. */
async function isCopied(id: number, end: string): Promise<boolean> {
  const access = { url: nats.url, creds: at("doors/laptop.creds"), tlsCa: at("ca.crt") };
  const bus = await connectNats({ access, kind: "door", name: "laptop" });
  try {
    const key = readJournalKey(at("journal.key"));
    const journal = await CopiedJournal.open(bus, key, { host: "gpu-1", epoch: 1, id });
    const { bytes } = (await journal?.read(Math.max(0, journal.record.copiedBytes - 100))) ?? {};
    return Buffer.from(bytes ?? [])
      .toString()
      .endsWith(end);
  } finally {
    await bus.close();
  }
}

/** How many names the host has. */
async function claims(): Promise<number> {
  const access = { url: nats.url, creds: at("operator.creds"), tlsCa: at("ca.crt") };
  const bus = await connectNats({ access, kind: "door", name: "operator" });
  try {
    return (await (await bus.bucket(NAMES, { maxAgeMs: NAMES_MAX_AGE_MS })).match("gpu-1.*")).length;
  } finally {
    await bus.close();
  }
}

async function becomes(state: string, through: FleetDoor = door): Promise<void> {
  const isSo = async () => (await through.hosts()).some((one) => one.name === "gpu-1" && one.state === state);
  await until(isSo, () => `gpu-1 is ${state}: ${host.log}`, 60_000);
}

test("a door places a session, and reads and types through its own rights", async () => {
  const { host: name } = await door.place({ labels: undefined });
  const { id } = await startSession(door.clientOf(name), { command: "cat", shell: "/bin/sh" });

  const answer = await door.clientOf(name).turn({
    caller: "test",
    on: { kind: "session", key: id },
    input: { strokes: [{ kind: "text", text: "hello\n" }] },
    wait: { kind: "output", until: /hello\r?\nhello/ },
    read: { kind: "unread" },
  });

  expect(name).toBe("gpu-1");
  expect(answer.result).toMatchObject({ reason: "matched" });
  expect(host.log).not.toMatch(/ermission/);
});

test("only an operator drains a host", async () => {
  const refused = await errorOf(door.setDuty("gpu-1", "draining"));
  const operator = openDoor("operator.creds", "operator");
  await operator.setDuty("gpu-1", "cordoned");
  await becomes("cordoned", operator);
  await operator.setDuty("gpu-1", "open");
  await becomes("up", operator);
  await operator.close();

  expect(["FLEET_REFUSED", "PLACE_UNREACHABLE"]).toContain(refused.code);
});

test("a quota that an operator has written refuses one session too many, and a door cannot write it", async () => {
  const file = join(cli.folder, "quotas.json");
  const sessions = fleetService({ door, labels: undefined, here: noSessionsHere() });
  const write = (document: string, creds: string) => {
    writeFileSync(file, document);
    return cli.limpet(["fleet", "quotas", file, ...proofOf(creds)]);
  };

  const refused = await write('{"callers": {"*": 999}}', "doors/laptop.creds");
  const written = await write('{"callers": {"*": 0}}', "operator.creds");
  const full = await errorOf(startSession(sessions, { command: "true", shell: "/bin/sh" }));
  const shown = await cli.limpet(["fleet", "quotas", ...proofOf("doors/laptop.creds")]);
  await write("{}", "operator.creds");
  const started = await startSession(sessions, { command: "true", shell: "/bin/sh" });

  expect(refused.code).not.toBe(0);
  expect(written.code).toBe(0);
  expect(full.code).toBe("FLEET_FULL");
  expect(full.message).toMatch(/runs \d+ of at most 0 sessions in the fleet\. End one, or ask an operator/);
  expect(shown.stdout).toBe('{"callers": {"*": 0}}\n');
  expect(started.place).toBe("gpu-1");
});

test("the age of the lease is a metric", async () => {
  const [, url = ""] = /metrics at (\S+)/.exec(host.log) ?? [];

  const families = readOpenMetrics(await (await fetch(url)).text());
  const [age] = families.get("limpet_fleet_lease_age_seconds")?.samples ?? [];

  expect(age?.value).toBeGreaterThanOrEqual(0);
  expect(families.get("limpet_fleet_epoch")?.samples[0]?.value).toBe(1);
});

test("the output of a session is read from its copy when its host is gone, and an operator gives the host up", async () => {
  const hidden = await startSession(door.clientOf("gpu-1"), { command: "echo x", shell: "/bin/sh", copy: false });
  const { id } = await startSession(door.clientOf("gpu-1"), {
    command: "seq 1 40000; exec sleep 600",
    name: "counting",
    shell: "/bin/sh",
  });
  const proof = proofOf("doors/laptop.creds");
  const journal = (address: string) =>
    cli.limpet(["fleet", "journal", address, ...proof, "--journal-key", at("journal.key")]);
  await until(() => isCopied(id, "40000\r\n"), "its output is copied", 60_000);

  await host.kill();
  await becomes("unreachable");
  const { code, stdout, stderr } = await journal(`gpu-1/${id}`);
  const listed = await journal("gpu-1");
  const claimed = await claims();
  const givenUp = await cli.limpet(["fleet", "give-up", "gpu-1", ...proofOf("operator.creds")]);
  await becomes("lost");
  const lost = await journal("gpu-1");
  const stateIn = (list: string) =>
    list
      .split("\n")
      .find((line) => line.startsWith(`gpu-1/${id} `))
      ?.split(/\s+/)[2];

  expect([stateIn(listed.stdout), stateIn(lost.stdout)]).toEqual(["unreachable", "lost"]);
  expect([claimed, await claims()]).toEqual([1, 0]);
  expect(code).toBe(0);
  expect(stdout.split("\n").slice(0, -1)).toEqual(Array.from({ length: 40_000 }, (_, index) => String(index + 1)));
  expect(stderr).toMatch(/^Copied up to byte \d+ at \S+Z\. All later output is missing\.\n$/);
  expect(listed.stdout).toContain(`gpu-1/${id} `);
  expect(listed.stdout).not.toContain(`gpu-1/${hidden.id} `);
  expect(givenUp.stdout).toMatch(/^Gave up gpu-1 in epoch 1\./);
});
