/** A real nats-server with what `limpet fleet init` writes: what each user can do, and what it cannot. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Kvm } from "@nats-io/kv";
import { connect, credsAuthenticator, type NatsConnection } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import type { NatsServer } from "../../../test/support/fleet/nats-server.ts";
import { followRefusals, refusedToPublish, refusedToSubscribe } from "../../../test/support/fleet/refusals.ts";
import { startSecuredNats } from "../../../test/support/fleet/secured-nats.ts";
import { skipWithout } from "../../../test/support/needs.ts";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { inboxPrefix } from "../subjects.ts";
import { addFleetUser } from "./init-fleet.ts";
import { revokeUser } from "./revoke-user.ts";

const { setUp, tearDown } = skipWithout("nats-server");

let server: NatsServer;
let fleet: string;
const open: NatsConnection[] = [];

setUp(async () => {
  ({ server, fleet } = await startSecuredNats([
    { kind: "host", name: "gpu-1" },
    { kind: "host", name: "gpu-2" },
    { kind: "door", name: "laptop" },
  ]));
  const operator = await as("door", "operator", "operator.creds");
  const kv = await new Kvm(operator).create("limpet-quotas", { history: 1 });
  await kv.put("quotas", "{}");
});

tearDown(async () => {
  await Promise.all(open.map((connection) => connection.close()));
  await server?.close();
});

async function as(kind: "host" | "door", name: string, file = `${kind}s/${name}.creds`): Promise<NatsConnection> {
  const connection = await connect({
    servers: server.url,
    inboxPrefix: inboxPrefix(kind, name),
    authenticator: credsAuthenticator(readFileSync(join(fleet, file))),
    tls: { ca: readFileSync(join(fleet, "ca.crt"), "utf8") },
    timeout: 20_000,
    reconnect: false,
  });
  open.push(connection);
  return connection;
}

/** Why these credentials are refused; empty if they are not. */
async function refusalOf(creds: Uint8Array): Promise<string> {
  const tls = { ca: readFileSync(join(fleet, "ca.crt"), "utf8") };
  const authenticator = credsAuthenticator(creds);
  try {
    const connection = await connect({ servers: server.url, authenticator, tls, timeout: 20_000, reconnect: false });
    await connection.close();
    return "";
  } catch (error) {
    return String(error);
  }
}

test("a host writes its own lease and entry, reads its own, and reads quotas", async () => {
  const host = await as("host", "gpu-1");
  const leases = await new Kvm(host).create("limpet-hosts", { history: 1, ttl: 15_000 });
  const quotas = await new Kvm(host).create("limpet-quotas", { history: 1 });

  const revision = await leases.create("gpu-1", "first");
  await leases.update("gpu-1", "second", revision);

  expect((await leases.get("gpu-1"))?.string()).toBe("second");
  expect((await quotas.get("quotas"))?.string()).toBe("{}");
});

test("a host cannot speak as another host, write its keys, or reach beyond what it needs", async () => {
  const host = await as("host", "gpu-1");
  const subjects = [
    "limpet.host.gpu-2.open",
    "limpet.host.gpu-2.link.laptop.x",
    "limpet.door.laptop.link.gpu-2.x",
    "limpet.host.gpu-2.control",
    "$KV.limpet-hosts.gpu-2",
    "$KV.limpet-members.gpu-2",
    "$KV.limpet-names.gpu-2.x",
    "$KV.limpet-names.x",
    "$KV.limpet-counts.x.gpu-2",
    "$JS.API.STREAM.MSG.DELETE.KV_limpet-names",
    "$KV.limpet-quotas.quotas",
    "limpet.journal.gpu-2.1.1.0.0",
    "$JS.API.DIRECT.GET.KV_limpet-hosts.$KV.limpet-hosts.gpu-2",
    "$JS.API.CONSUMER.CREATE.KV_limpet-hosts.x",
    "$JS.API.CONSUMER.DURABLE.CREATE.KV_limpet-hosts.x",
    "$JS.API.STREAM.DELETE.KV_limpet-hosts",
    "$JS.API.STREAM.PURGE.KV_limpet-hosts",
    "$JS.API.STREAM.UPDATE.KV_limpet-hosts",
    "$JS.API.STREAM.CREATE.other",
    "$JS.API.STREAM.MSG.GET.KV_limpet-hosts",
    "$SYS.REQ.SERVER.PING",
    "_INBOX.door.laptop.x",
    "_INBOX.host.gpu-2.x",
  ];

  expect(await refusedToPublish(host, subjects)).toEqual(subjects);
  expect(await refusedToPublish(host, ["limpet.door.laptop.link.gpu-1.x", "limpet.journal.gpu-1.1.1.0.0"])).toEqual([]);
});

test("a host cannot listen to other hosts, to doors or to their answers", async () => {
  const host = await as("host", "gpu-1");
  const subjects = [
    ">",
    "limpet.>",
    "limpet.host.>",
    "limpet.host.gpu-2.>",
    "limpet.host.*.open",
    "limpet.door.laptop.>",
    "limpet.journal.>",
    "_INBOX.>",
    "_INBOX.door.laptop.>",
    "_INBOX.host.gpu-2.>",
    "$KV.>",
    "$JS.>",
  ];

  expect(await refusedToSubscribe(host, subjects)).toEqual(subjects);
  expect(await refusedToSubscribe(host, ["limpet.host.gpu-1.>", "_INBOX.host.gpu-1.>"])).toEqual([]);
});

test("a door lists the hosts and asks them; it writes neither leases nor entries nor quotas, and does not drain", async () => {
  const [host, door] = [await as("host", "gpu-2"), await as("door", "laptop")];
  const leases = await new Kvm(host).create("limpet-hosts", { history: 1, ttl: 15_000 });
  await leases.put("gpu-2", "here");
  host.subscribe("limpet.host.gpu-2.bid", { callback: (_, message) => void message.respond("a bid") });
  await host.flush();
  const refused = [
    "limpet.host.gpu-2.control",
    "$KV.limpet-hosts.gpu-2",
    "$KV.limpet-members.gpu-2",
    "$KV.limpet-quotas.quotas",
    "$KV.limpet-names.gpu-2.x",
    "$KV.limpet-counts.x.gpu-2",
    "limpet.host.gpu-2.link.other.x",
    "limpet.door.laptop.link.gpu-2.x",
    "limpet.journal.gpu-2.1.1.0.0",
    "$JS.API.STREAM.DELETE.KV_limpet-quotas",
    "$JS.API.STREAM.UPDATE.KV_limpet-quotas",
    "$JS.API.CONSUMER.CREATE.KV_limpet-quotas.x",
    "$SYS.REQ.SERVER.PING",
  ];

  const seen = await new Kvm(door).create("limpet-hosts", { history: 1, ttl: 15_000 });
  const keys = [];
  for await (const key of await seen.keys()) keys.push(key);

  expect(keys).toContain("gpu-2");
  expect((await seen.get("gpu-2"))?.string()).toBe("here");
  expect((await door.request("limpet.host.gpu-2.bid", "?", { timeout: 20_000 })).string()).toBe("a bid");
  expect(await refusedToPublish(door, refused)).toEqual(refused);
  expect(
    await refusedToSubscribe(door, [">", "limpet.host.>", "limpet.door.>", "_INBOX.>", "_INBOX.host.>"]),
  ).toHaveLength(5);
});

test("a host answers a request once, and cannot write to the asker again", async () => {
  const [host, door] = [await as("host", "gpu-1"), await as("door", "laptop")];
  const refused = followRefusals(host);
  let reply = "";
  host.subscribe("limpet.host.gpu-1.bid", {
    callback: (_, message) => {
      reply = message.reply ?? "";
      message.respond("first");
    },
  });
  await host.flush();

  const answer = await door.request("limpet.host.gpu-1.bid", "?", { timeout: 20_000 });
  host.publish(reply, "second");
  await host.flush();

  expect(answer.string()).toBe("first");
  await expect.poll(() => [...refused]).toEqual([reply]);
});

test("a host that is added later connects without a change at the server", async () => {
  const file = addFleetUser(fleet, { kind: "host", name: "gpu-9" });

  const host = await as("host", "gpu-9");
  const leases = await new Kvm(host).create("limpet-hosts", { history: 1, ttl: 15_000 });

  expect(await leases.put("gpu-9", "new")).toBeGreaterThan(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(codeOfThrown(() => addFleetUser(fleet, { kind: "host", name: "gpu-9" }))).toBe("FILE_FAILED");
});

test("revoked credentials are cut off when the server reads its configuration again, and others are not", async () => {
  addFleetUser(fleet, { kind: "door", name: "desk" });
  const revoked = await as("door", "desk");
  const credsOf = (name: string) => readFileSync(join(fleet, `doors/${name}.creds`));
  const creds = credsOf("desk");

  const config = revokeUser(fleet, { kind: "door", name: "desk" });
  server.reload(readFileSync(config, "utf8"));
  await revoked.closed();
  // The server disconnects everybody first, and then learns who is revoked.
  await expect.poll(() => refusalOf(creds), { timeout: 60_000 }).toMatch(/authorization|revoked/i);
  addFleetUser(fleet, { kind: "door", name: "desk" });
  for (const name of ["desk", "laptop"])
    await expect.poll(() => refusalOf(credsOf(name)), { timeout: 60_000 }).toBe("");

  expect(revoked.isClosed()).toBe(true);
  expect(codeOfThrown(() => revokeUser(fleet, { kind: "door", name: "nobody" }))).toBe("BAD_OPTION");
});

test("credentials that have expired are refused", async () => {
  addFleetUser(fleet, { kind: "door", name: "guest", expiresMs: Date.now() + 3_600_000 });
  addFleetUser(fleet, { kind: "door", name: "former", expiresMs: Date.now() - 3_600_000 });

  const guest = await as("door", "guest");

  expect(guest.isClosed()).toBe(false);
  await expect(as("door", "former")).rejects.toThrow(/expired|authorization/i);
});

test("without credentials, or without TLS, nobody connects", async () => {
  const ca = readFileSync(join(fleet, "ca.crt"), "utf8");

  await expect(connect({ servers: server.url, tls: { ca }, reconnect: false })).rejects.toThrow(/authorization/i);
  await expect(connect({ servers: server.url, tls: {}, reconnect: false })).rejects.toThrow(/certificate/i);
});
