/** Hosts that join a fleet, and a door that reaches them through a real NATS server. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { LimpetError } from "../../../src/base/limpet-error.ts";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { fleetService } from "../../../src/fleet/door/fleet-service.ts";
import { noSessionsHere } from "../../../src/fleet/door/no-sessions-here.ts";
import { decodeMessage, encodeMessage } from "../../../src/fleet/link/open-messages.ts";
import { claimKey, hashOf, NAMES, NAMES_MAX_AGE_MS } from "../../../src/fleet/names/claim.ts";
import { connectNats } from "../../../src/fleet/nats/connect-nats.ts";
import { writeQuotas } from "../../../src/fleet/quotas/stored-quotas.ts";
import { bidSubject } from "../../../src/fleet/subjects.ts";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import { keyOf } from "../../../src/service/listing/session-key.ts";
import type { SessionService } from "../../../src/service/session-service.ts";
import { readOutput, startSession } from "../../../src/service/turn/simple-turns.ts";
import { type FleetHostProcess, startFleetHost } from "../../support/fleet/fleet-host.ts";
import { type NatsServer, startNats } from "../../support/fleet/nats-server.ts";
import { skipWithout } from "../../support/needs.ts";
import { errorOf, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

const { setUp, tearDown } = skipWithout("nats-server");
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let nats: NatsServer;
let first: FleetHostProcess;
let second: FleetHostProcess;
let door: FleetDoor;
let sessions: SessionService;

const programs = mkdtempSync(join(tmpdir(), "limpet-engine-"));
afterAll(() => rmSync(programs, { recursive: true }));

/** A PATH with an engine that has one image, and writes down what it is asked. */
function engineIn(folder: string): string {
  const script = `#!/bin/sh\necho "$*" >> ${folder}/asked\n[ "$*" = "image inspect debian:12" ]\n`;
  writeFileSync(join(folder, "docker"), script, { mode: 0o755 });
  return `${folder}:${process.env["PATH"]}`;
}

setUp(async () => {
  nats = await startNats();
  const env = { LIMPET_FLEET_NATS: "nats://me:secret@127.0.0.1:1", LIMPET_FLEET_CREDS: "/secret" };
  first = startFleetHost({ url: nats.url, name: "gpu-1", labels: ["gpu", "zone=a"], env });
  second = startFleetHost({ url: nats.url, name: "cpu-1", labels: ["zone=b"], env: { PATH: engineIn(programs) } });
  door = new FleetDoor({ access: { url: nats.url } });
  sessions = fleetService({ door, labels: undefined, here: noSessionsHere() });
  await becomes({ "cpu-1": "up", "gpu-1": "up" });
});
tearDown(async () => {
  await door?.close();
  await Promise.all([first?.close(), second?.close()]);
  await nats?.close();
});

/** Waits until the door knows exactly these hosts, in these states. */
async function becomes(states: Readonly<Record<string, string>>, through: FleetDoor = door): Promise<void> {
  let now = {};
  const isSo = async () => {
    now = Object.fromEntries((await through.hosts()).map(({ name, state }) => [name, state]));
    return isDeepStrictEqual(now, states);
  };
  await until(isSo, () => `${JSON.stringify(states)}, now ${JSON.stringify(now)}`, 60_000);
}

const sh = { shell: "/bin/sh" };
const on = (host: string) => door.clientOf(host);
/** Whether NATS knows that this host has a session with this name. */
async function isClaimed(host: string, name: string): Promise<boolean> {
  const bus = await connectNats({ access: { url: nats.url }, kind: "door", name: "observer" });
  try {
    const names = await bus.bucket(NAMES, { maxAgeMs: NAMES_MAX_AGE_MS });
    return (await names.match(claimKey(host, hashOf({ project: null, name })))).length === 1;
  } finally {
    await bus.close();
  }
}
const epochOf = async (host: string) => (await door.hosts()).find(({ name }) => name === host)?.epoch;
/** A program that counts the lines that it gets. */
const COUNTER = 'n=0; while read line; do n=$((n + 1)); echo "$n $line"; done';

test("a session is started on the host that has the labels, and reached by its address", async () => {
  const gpus = fleetService({ door, labels: "gpu && zone=a", here: noSessionsHere() });

  const started = await startSession(gpus, { command: "cat", ...sh, name: "echo" });
  const key = String(keyOf(started));
  const answer = await sessions.turn({
    caller: "test",
    on: { kind: "session", key: "gpu-1/echo" },
    input: { strokes: [{ kind: "text", text: "hello\n" }] },
    wait: { kind: "output", until: /hello\r?\nhello/ },
    read: { kind: "unread" },
  });
  const listed = await sessions.list({ ended: false });

  expect(key).toMatch(/^gpu-1\/\d+$/);
  expect(answer.session).toMatchObject({ place: "gpu-1", name: "echo" });
  expect(listed.map((each) => String(keyOf(each)))).toContain(key);
});

test("a name alone finds its session, a second session cannot have it, and another door finds the shell", async () => {
  const named = await startSession(sessions, { command: "cat", ...sh, name: "alone" });
  const run = (through: SessionService, command: string) =>
    through.turn({ caller: "test", on: { kind: "run", run: { command, shell: "work" } } });
  await run(sessions, "x=5");
  const other = new FleetDoor({ access: { url: nats.url } });
  onTestFinished(() => other.close());
  const elsewhere = fleetService({ door: other, labels: undefined, here: noSessionsHere() });

  const found = await elsewhere.find("alone");
  const taken = await errorOf(startSession(elsewhere, { command: "cat", ...sh, name: "alone" }));
  const { command } = await run(elsewhere, "echo $x");
  await elsewhere.close("alone", { force: true });

  expect([found.id, found.place]).toEqual([named.id, named.place]);
  expect(taken.code).toBe("NAME_TAKEN");
  expect(command?.output).toBe("5\n");
});

test("of two hosts that are asked for a name at once, one gives it, and the other one says who has it", async () => {
  const start = (host: string) => startSession(on(host), { command: "cat", ...sh, name: "race" });

  const results = await Promise.allSettled([start("gpu-1"), start("cpu-1")]);
  const [winner, ...more] = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const [refusal] = results.flatMap((result) => (result.status === "rejected" ? [result.reason as LimpetError] : []));
  const listed = (await sessions.list({ ended: false })).filter(({ name }) => name === "race");
  const [holder = "", loser = ""] = results[0]?.status === "fulfilled" ? ["gpu-1", "cpu-1"] : ["cpu-1", "gpu-1"];
  const shared = await startSession(sessions, { command: "cat", ...sh, name: "race", reuse: true });
  await on(holder).close("race", { force: true });
  // On a busy machine, a name is given back some time after its session has ended.
  const isGivenBack = () =>
    start(loser).then(
      () => true,
      () => false,
    );
  await until(isGivenBack, "the other host gets the name", 60_000);
  await on(loser).close("race", { force: true });

  expect([more.length, listed.length]).toEqual([0, 1]);
  expect(refusal).toMatchObject({ code: "NAME_TAKEN", message: expect.stringContaining(`${holder} has a session`) });
  expect([shared.id, shared.place, shared.isReused]).toEqual([winner?.id, holder, true]);
});

test("starts at the same moment on several hosts do not exceed a quota together", async () => {
  const operator = await connectNats({ access: { url: nats.url }, kind: "door", name: "operator" });
  onTestFinished(async () => {
    await writeQuotas(operator, "{}");
    await operator.close();
  });
  await writeQuotas(operator, '{"callers": {"crowd": 3}}');
  const start = (index: number) =>
    startSession(on(index % 2 === 0 ? "gpu-1" : "cpu-1"), { command: "cat", ...sh }, "crowd");

  const results = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => start(index)));
  const started = results.filter(({ status }) => status === "fulfilled");
  const refused = results.flatMap((result) =>
    result.status === "rejected" ? [(result.reason as LimpetError).code] : [],
  );
  // Some may have been refused although one of them had room.
  const running = async () => (await sessions.list({ ended: false })).filter(({ owner }) => owner?.caller === "crowd");
  const isFull = async () => {
    await start(0).catch(() => undefined);
    return (await running()).length >= 3;
  };
  await until(isFull, "three of them run", 60_000);
  const oneMore = await errorOf(start(1));
  const listed = await running();
  const [first] = listed;
  if (first) await sessions.close(keyOf(first), { force: true });
  await until(
    () =>
      start(0).then(
        () => true,
        () => false,
      ),
    "the place of an ended session is free",
    60_000,
  );

  expect(started.length).toBeLessThanOrEqual(3);
  expect(new Set(refused)).toEqual(new Set(["FLEET_FULL"]));
  expect([listed.length, oneMore.code]).toEqual([3, "FLEET_FULL"]);
});

test("a session sees nothing of the credentials of its host", async () => {
  const { id } = await startSession(on("gpu-1"), { command: "env; echo end", ...sh });

  await expect.poll(async () => (await readOutput(on("gpu-1"), id, { kind: "text" })).text).toContain("end\n");

  expect((await readOutput(on("gpu-1"), id, { kind: "text" })).text).not.toMatch(/LIMPET_FLEET|secret/);
});

test("a fleet without a host for a session says what is missing", async () => {
  const none = fleetService({ door, labels: "tpu", here: noSessionsHere() });

  const error = await errorOf(startSession(none, { command: "true", ...sh }));

  expect(error).toMatchObject({
    code: "FLEET_FULL",
    message: expect.stringContaining('None of the 2 hosts matches "tpu"'),
  });
});

test("a burst of more starts than a host can run at once waits at the door, and each of them runs", async () => {
  const gpus = fleetService({ door, labels: "gpu", here: noSessionsHere() });
  const more = 300;

  const started = await Promise.all(Array.from({ length: more }, () => startSession(gpus, { command: "true", ...sh })));

  expect(new Set(started.map((each) => keyOf(each))).size).toBe(more);
});

test("a bid says whether the host has the image, and its engine is asked only for a session that needs one", async () => {
  const bus = await connectNats({ access: { url: nats.url }, kind: "door", name: "observer" });
  onTestFinished(() => bus.close());
  const bid = async (question: object) => {
    const data = await bus.request(bidSubject("cpu-1"), encodeMessage(question), { timeoutMs: 20_000 });
    return decodeMessage(data ?? new Uint8Array());
  };

  await bid({});
  await door.place({ labels: "zone=b" });
  const before = existsSync(join(programs, "asked"));
  // A slow engine has answered by the next question.
  await until(async () => (await bid({ image: "debian:12" }))?.["hasImage"] === true, "it has the image", 60_000);
  const other = await bid({ image: "debian:13" });
  const { host } = await door.place({ labels: "zone=b,image:debian:13" });

  expect(before).toBe(false);
  expect([other?.["hasImage"], host]).toEqual([false, "cpu-1"]);
});

test("a cordoned host starts nothing new, and its sessions go on until it is opened again", async () => {
  const { id } = await startSession(on("cpu-1"), { command: "cat", ...sh });

  const running = await door.setDuty("cpu-1", "cordoned");
  await becomes({ "cpu-1": "cordoned", "gpu-1": "up" });
  const refused = await errorOf(startSession(on("cpu-1"), { command: "true", ...sh }));
  const { session } = await on("cpu-1").turn({ caller: "test", on: { kind: "session", key: id } });
  await door.setDuty("cpu-1", "open");
  await becomes({ "cpu-1": "up", "gpu-1": "up" });

  expect(running).toBeGreaterThan(0);
  expect(refused).toMatchObject({ code: "FLEET_FULL", message: expect.stringContaining("cpu-1 is cordoned") });
  expect(session).toMatchObject({ id, exit: null });
});

test("an emptied NATS is complete again within the time of a lease, and a turn meanwhile acts once", async () => {
  const { id } = await startSession(on("gpu-1"), { command: COUNTER, ...sh, name: "counter" });
  const epoch = await epochOf("gpu-1");
  const type = (text: string) =>
    on("gpu-1").turn({
      caller: "test",
      requestId: `type ${text}`,
      on: { kind: "session", key: id },
      input: { strokes: [{ kind: "text", text: `${text}\n` }] },
      wait: { kind: "output", until: new RegExp(`\\d ${text}`) },
    });
  await type("one");

  await nats.kill();
  const meanwhile = type("two");
  nats.empty();
  await nats.start();
  await meanwhile;
  const fresh = new FleetDoor({ access: { url: nats.url } });
  onTestFinished(() => fresh.close());
  await becomes({ "cpu-1": "up", "gpu-1": "up" }, fresh);
  await type("three");
  await until(() => isClaimed("gpu-1", "counter"), "its name is written again", 60_000);
  const taken = await errorOf(startSession(on("cpu-1"), { command: "cat", ...sh, name: "counter" }));

  const { text } = await readOutput(on("gpu-1"), id, { kind: "text" });
  expect(text.match(/^\d \w+$/gm)).toEqual(["1 one", "2 two", "3 three"]);
  expect(taken).toMatchObject({ code: "NAME_TAKEN", message: expect.stringContaining("gpu-1 has") });
  expect((await fresh.hosts()).find(({ name }) => name === "gpu-1")?.epoch).toBe(epoch);
});

test("a host that is stopped for longer than its lease is unreachable, then up again with its sessions", async () => {
  const { id } = await startSession(on("cpu-1"), { command: COUNTER, ...sh, name: "paused" });
  const epoch = await epochOf("cpu-1");

  second.signal("SIGSTOP");
  await becomes({ "cpu-1": "unreachable", "gpu-1": "up" });
  const taken = await errorOf(startSession(on("gpu-1"), { command: "cat", ...sh, name: "paused" }));
  const listed = await sessions.list({ ended: false });
  const silent = sessions.silentPlaces?.();
  second.signal("SIGCONT");
  await becomes({ "cpu-1": "up", "gpu-1": "up" });
  const found = await on("cpu-1").find(id);

  expect(listed.map(({ place }) => place)).not.toContain("cpu-1");
  expect(silent).toEqual([{ place: "cpu-1", problem: expect.stringMatching(/^unreachable: no sign of life/) }]);
  expect([await epochOf("cpu-1"), found.id]).toEqual([epoch, id]);
  expect(taken).toMatchObject({ code: "NAME_TAKEN", message: expect.stringContaining("cpu-1 has") });
});

test("a host that was killed and started again runs in the next epoch, and lists its sessions as lost", async () => {
  const { id } = await startSession(on("cpu-1"), { command: "cat", ...sh, name: "mortal" });
  const epoch = (await epochOf("cpu-1")) ?? 0;

  await second.kill();
  await becomes({ "cpu-1": "unreachable", "gpu-1": "up" });
  const gone = await errorOf(on("cpu-1").hostStatus());
  second.start();
  await becomes({ "cpu-1": "up", "gpu-1": "up" });
  const listed = await on("cpu-1").list({ ended: true });
  const isFree = () =>
    startSession(on("gpu-1"), { command: "true", ...sh, name: "mortal" }).then(
      () => true,
      () => false,
    );
  await until(isFree, "the name of the lost session is free", 60_000);

  expect(gone.code).toBe("PLACE_UNREACHABLE");
  expect(await epochOf("cpu-1")).toBe(epoch + 1);
  expect(listed.find((each) => each.id === id)).toMatchObject({ lost: true });
});

test("another host cannot take a name, and a copy of a host that starts later fences the first one", async () => {
  const folder = temporaryDirectory();
  const third = startFleetHost({ url: nats.url, name: "old" });
  onTestFinished(() => third.close());
  await becomes({ "cpu-1": "up", "gpu-1": "up", old: "up" });
  const { id } = await startSession(on("old"), { command: "cat", ...sh });

  const stranger = startFleetHost({ url: nats.url, name: "old" });
  onTestFinished(() => stranger.close());
  await expect.poll(() => stranger.log, { timeout: 60_000 }).toContain("another host has the name old");
  const still = await on("old").find(id);
  mkdirSync(join(folder, "copy"), { mode: 0o700 });
  for (const file of ["fleet-key.pem", "fleet-epoch"])
    copyFileSync(join(third.stateDirectory, file), join(folder, "copy", file));
  const copy = startFleetHost({ url: nats.url, name: "old", stateDirectory: join(folder, "copy") });
  onTestFinished(() => copy.close());
  await expect.poll(() => third.log, { timeout: 60_000 }).toContain("a later process runs as old, in epoch 2");
  await becomes({ "cpu-1": "up", "gpu-1": "up", old: "up" });

  const reached = new FleetDoor({ access: { url: nats.url } });
  onTestFinished(() => reached.close());
  expect(still.id).toBe(id);
  expect(await reached.clientOf("old").list({ ended: true })).toEqual([]);
  // Local clients of the first one are served as ever.
  const local = connectHost({ stateDirectory: third.stateDirectory, reach: "user" });
  expect((await local.list({ ended: false })).map((each) => each.id)).toEqual([id]);
  local.disconnect();
});

test("a host without NATS serves its local clients, and joins when NATS is there", async () => {
  await nats.kill();
  const late = startFleetHost({ url: nats.url, name: "late" });
  onTestFinished(() => late.close());
  await expect.poll(() => late.log, { timeout: 60_000 }).toContain("cannot be reached");
  const local = connectHost({ stateDirectory: late.stateDirectory, reach: "user" });
  const { id } = await startSession(local, { command: "cat", ...sh });

  await nats.start();
  await expect
    .poll(async () => (await door.hosts()).find(({ name }) => name === "late")?.state, { timeout: 60_000 })
    .toBe("up");

  expect((await on("late").find(id)).id).toBe(id);
  local.disconnect();
});
