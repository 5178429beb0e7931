/** What the user of a host allows doors, through a real NATS server. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { type FleetHostProcess, startFleetHost } from "../../support/fleet/fleet-host.ts";
import { type NatsServer, startNats } from "../../support/fleet/nats-server.ts";
import { needs, skipWithout } from "../../support/needs.ts";
import { readOpenMetrics } from "../../support/read-open-metrics.ts";
import { errorOf, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

const { setUp, tearDown } = skipWithout("nats-server");
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let nats: NatsServer;
let plain: FleetHostProcess;
let door: FleetDoor;

setUp(async () => {
  nats = await startNats();
  plain = startFleetHost({ url: nats.url, name: "plain" });
  door = new FleetDoor({ access: { url: nats.url }, name: "ci" });
  await isUp("plain");
});
tearDown(async () => {
  await door?.close();
  await plain?.close();
  await nats?.close();
});

const sh = { shell: "/bin/sh" };
const on = (host: string) => door.clientOf(host);

async function isUp(host: string): Promise<void> {
  const state = async () => (await door.hosts()).find(({ name }) => name === host)?.state;
  await until(async () => (await state()) === "up", `${host} is up`, 60_000);
}

/** The settings of the user of a host, as its environment. */
function settingsOf(files: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, "limpet"));
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, "limpet", name), JSON.stringify(value));
  return { XDG_CONFIG_HOME: folder };
}

/** A client on the machine of the host. */
function localClient({ stateDirectory }: FleetHostProcess) {
  const local = connectHost({ stateDirectory, reach: "user" });
  onTestFinished(() => local.disconnect());
  return local;
}

test("a door cannot stop a host, copy files of its user, or read its audit log", async () => {
  const client = on("plain");
  const readAudit = async () => {
    for await (const _ of client.audit({ follow: false })) break;
  };

  const refused = [
    await errorOf(client.stopHost()),
    await errorOf(client.files.fetch("/etc/passwd")),
    await errorOf(readAudit()),
  ];

  expect(refused.map(({ code }) => code)).toEqual(["NOT_ALLOWED", "NOT_ALLOWED", "NOT_ALLOWED"]);
  expect((await client.hostStatus())?.pid).toBeGreaterThan(0);
});

test.skipIf(!needs("landlock"))("the sandbox that a host's user has set holds, whatever a door asks for", async () => {
  const env = settingsOf({ "config.json": { sandbox: "read-only" } });
  const strict = startFleetHost({ url: nats.url, name: "strict", env });
  onTestFinished(() => strict.close());
  await isUp("strict");
  const cast = join(strict.stateDirectory, "..", "door.cast");
  // That of a person on the machine, who needs no sandbox.
  const { id: local } = await startSession(localClient(strict), { command: "cat", ...sh });

  const { id } = await startSession(on("strict"), { command: "cat", ...sh, sandbox: "off" });
  const own = (await on("strict").list({ ended: false })).find((each) => each.id === id);
  await on("strict").write(id, "x", { by: "person" });
  const refused = [
    await errorOf(on("strict").record(id, { file: cast })),
    await errorOf(on("strict").write(local, "touch /tmp/escaped\n", { by: "person" })),
    await errorOf(on("strict").restart(local)),
  ];

  expect(own).toMatchObject({ id, sandbox: { files: "read-only" } });
  expect(refused.map(({ code }) => code)).toEqual(["NOT_ALLOWED", "NOT_ALLOWED", "NOT_ALLOWED"]);
  expect(existsSync(cast)).toBe(false);
});

test("a door that its host does not take for a person's cannot type as a person", async () => {
  const env = settingsOf({ "policy.json": { default: "allow", rules: [{ prefix: ["rm"], decision: "deny" }] } });
  const agents = startFleetHost({ url: nats.url, name: "agents", env, words: ["--people", "laptop"] });
  onTestFinished(() => agents.close());
  await isUp("agents");
  const laptop = new FleetDoor({ access: { url: nats.url }, name: "laptop" });
  onTestFinished(() => laptop.close());
  const { id } = await startSession(localClient(agents), { command: "exec /bin/sh", ...sh });
  const type = (through: FleetDoor) =>
    through.clientOf("agents").write(id, "rm -r precious\n", { by: "person", caller: "me" });

  const denied = await errorOf(type(door));
  const { id: cat } = await startSession(localClient(agents), { command: "cat", ...sh });
  await laptop.clientOf("agents").hold(cat, { reason: null });
  const held = await errorOf(on("agents").write(cat, "hello\n", { by: "person", caller: "me" }));
  const released = await errorOf(on("agents").release(cat));
  await type(laptop);

  expect([denied.code, held.code, released.code]).toEqual(["POLICY_DENIED", "SESSION_HELD", "NOT_ALLOWED"]);
});

test("the policy of a host's user holds for doors: what it denies is refused, and people there decide what it asks", async () => {
  const rules = [
    { prefix: ["rm"], decision: "deny", why: "Move it to .trash instead." },
    { prefix: ["uname"], decision: "ask" },
  ];
  const env = settingsOf({
    "policy.json": { default: "allow", rules },
    "config.json": { limits: { processes: 50 } },
  });
  const ruled = startFleetHost({
    url: nats.url,
    name: "ruled",
    env,
    words: ["--metrics", "127.0.0.1:0"],
  });
  onTestFinished(() => ruled.close());
  await isUp("ruled");
  const start = (command: string, more: object = {}) => startSession(on("ruled"), { command, ...sh, ...more });
  const local = localClient(ruled);

  const denied = await errorOf(start("rm -r precious"));
  const needed = await errorOf(start("uname"));
  const [approval] = await local.approvals.list();
  const number = approval?.number ?? 0;
  const refused = await errorOf(
    on("ruled").approvals.decide(number, { kind: "approve", scope: "once", by: "the door" }),
  );
  await local.approvals.decide(number, { kind: "approve", scope: "once", by: "a person" });
  const { id } = await start("uname");
  const tooMuch = await errorOf(start("true", { limits: { processes: 51 } }));
  await start("cat", { name: "passing" });
  const [, url = ""] = /metrics at (\S+)/.exec(ruled.log) ?? [];
  const metrics = readOpenMetrics(await (await fetch(url)).text());
  await ruled.close();
  const inherited = await startSession(on("plain"), { command: "true", ...sh, name: "passing" });
  const counted = metrics.get("limpet_refusals")?.samples.map(({ labels, value }) => [labels?.["code"], value]);

  expect(denied).toMatchObject({ code: "POLICY_DENIED", message: expect.stringContaining("Move it to .trash") });
  expect(needed).toMatchObject({
    code: "APPROVAL_NEEDED",
    message: expect.stringContaining(`approve ${number}" on ruled`),
  });
  expect(refused.code).toBe("APPROVAL_REFUSED");
  expect(id).toBeGreaterThan(0);
  // A host that was stopped has given its names back.
  expect(inherited.isReused).toBe(false);
  expect(tooMuch).toMatchObject({ code: "BAD_OPTION", message: expect.stringContaining("more than a person allows") });
  expect(counted).toEqual(
    expect.arrayContaining([
      ["POLICY_DENIED", 1],
      ["APPROVAL_NEEDED", 1],
    ]),
  );
});
