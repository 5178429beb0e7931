/** Hosts that join a fleet, and a door that reaches them through a real NATS server. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { LimpetError } from "../../../src/base/limpet-error.ts";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { fleetService } from "../../../src/fleet/door/fleet-service.ts";
import { noSessionsHere } from "../../../src/fleet/door/no-sessions-here.ts";
import { decodeMessage, encodeMessage } from "../../../src/fleet/link/open-messages.ts";
import { connectNats } from "../../../src/fleet/nats/connect-nats.ts";
import { writeQuotas } from "../../../src/fleet/quotas/stored-quotas.ts";
import { bidSubject } from "../../../src/fleet/subjects.ts";
import { keyOf } from "../../../src/service/listing/session-key.ts";
import type { SessionService } from "../../../src/service/session-service.ts";
import { readOutput, startSession } from "../../../src/service/turn/simple-turns.ts";
import { becomes, door, nats, on, sessions, startTwoHosts } from "../../support/fleet/two-hosts.ts";
import { errorOf, until } from "../../support/sessions.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const programs = mkdtempSync(join(tmpdir(), "limpet-engine-"));
afterAll(() => rmSync(programs, { recursive: true }));

/** A PATH with an engine that has one image, and writes down what it is asked. */
function engineIn(folder: string): string {
  const script = `#!/bin/sh\necho "$*" >> ${folder}/asked\n[ "$*" = "image inspect debian:12" ]\n`;
  writeFileSync(join(folder, "docker"), script, { mode: 0o755 });
  return `${folder}:${process.env["PATH"]}`;
}

startTwoHosts({
  gpuEnv: { LIMPET_FLEET_NATS: "nats://me:secret@127.0.0.1:1", LIMPET_FLEET_CREDS: "/secret" },
  cpuEnv: { PATH: engineIn(programs) },
});

const sh = { shell: "/bin/sh" };

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
