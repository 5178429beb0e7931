/** Hosts that lose their fleet and join it again: NATS emptied or away, hosts paused, killed or copied. */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { claimKey, hashOf, NAMES, NAMES_MAX_AGE_MS } from "../../../src/fleet/names/claim.ts";
import { connectNats } from "../../../src/fleet/nats/connect-nats.ts";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import { readOutput, startSession } from "../../../src/service/turn/simple-turns.ts";
import { startFleetHost } from "../../support/fleet/fleet-host.ts";
import { becomes, door, nats, on, second, sessions, startTwoHosts } from "../../support/fleet/two-hosts.ts";
import { errorOf, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
startTwoHosts();

const sh = { shell: "/bin/sh" };

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
