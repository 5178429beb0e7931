/** Connecting to NATS, and what is said when that fails. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectNats } from "../../../src/fleet/nats/connect-nats.ts";
import type { NatsAccess } from "../../../src/fleet/nats/nats-access.ts";
import { type NatsServer, startNats } from "../../support/fleet/nats-server.ts";
import { skipWithout } from "../../support/needs.ts";
import { errorOf } from "../../support/sessions.ts";

skipWithout("nats-server", "openssl");
vi.setConfig({ testTimeout: 120_000 });

async function server(...options: Parameters<typeof startNats>): Promise<NatsServer> {
  const nats = await startNats(...options);
  onTestFinished(() => nats.close());
  return nats;
}

async function connected(access: NatsAccess) {
  const bus = await connectNats({ access, kind: "door", name: "desk" });
  onTestFinished(() => bus.close());
  return bus;
}

const bytes = (text: string) => Buffer.from(text);

test("a server that is not there is FLEET_UNREACHABLE, without the password of its address", async () => {
  const error = await errorOf(connected({ url: "nats://me:secret@127.0.0.1:1" }));

  expect(error.code).toBe("FLEET_UNREACHABLE");
  expect(error.message).toMatch(/^NATS at nats:\/\/127\.0\.0\.1:1 cannot be reached \(.+\)\. Start it, or check/);
});

test("refused credentials are FLEET_REFUSED, and a file that is not there is named", async () => {
  const { url } = await server({ config: () => 'authorization { user: me, password: "right" }' });

  const refused = await errorOf(connected({ url: url.replace("//", "//me:wrong@") }));
  const missing = await errorOf(connected({ url, creds: "/nowhere/x.creds" }));

  expect(refused).toMatchObject({ code: "FLEET_REFUSED", message: expect.stringContaining("refused the credentials") });
  expect(missing).toMatchObject({ code: "BAD_OPTION", message: expect.stringContaining("/nowhere/x.creds") });
});

test("a server without JetStream has messages and no buckets, and says why", async () => {
  const { url } = await server({ hasJetStream: false });
  const bus = await connected({ url });
  bus.subscribe("echo", ({ data, answer }) => answer?.(data));

  const answer = await bus.request("echo", bytes("hello"), { timeoutMs: 20_000 });
  const nobody = await bus.request("nobody", bytes("hello"), { timeoutMs: 20_000 });
  const error = await errorOf(bus.bucket("limpet-test"));

  expect([Buffer.from(answer ?? []).toString(), nobody]).toEqual(["hello", undefined]);
  expect(error).toMatchObject({ code: "FLEET_UNREACHABLE", message: expect.stringContaining("has no JetStream") });
});

test("of two that replace the same entry, one wins; entries go with their age", async () => {
  const { url } = await server();
  const bus = await connected({ url });
  const bucket = await bus.bucket("limpet-test");
  const aging = await bus.bucket("limpet-aging", { maxAgeMs: 1_000 });

  const first = await bucket.replace("a", bytes("1"), 0);
  const won = await Promise.all([1, 2].map((n) => bucket.replace("a", bytes(`won ${n}`), first ?? 0)));
  const all = await bucket.all();
  const old = await aging.replace("a", bytes("1"), 0);

  expect(won.filter((revision) => revision === undefined)).toHaveLength(1);
  expect(all).toEqual([expect.objectContaining({ key: "a", revision: won.find((n) => n !== undefined) })]);
  await expect.poll(() => aging.get("a")).toBeUndefined();
  expect(await aging.all()).toEqual([]);
  expect(await aging.replace("a", bytes("again"), 0)).toBeGreaterThan(old ?? 0);
});

test("TLS needs the certificate of the server's authority", async () => {
  const makeKeys = (folder: string) => {
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    const out = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...out], {
      stdio: "ignore",
    });
    return `tls { cert_file: "${join(folder, "cert.pem")}", key_file: "${join(folder, "key.pem")}" }`;
  };
  const { url, folder } = await server({ hasJetStream: false, config: makeKeys });

  const untrusted = await errorOf(connected({ url: url.replace("nats:", "tls:") }));
  const bus = await connected({ url, tlsCa: join(folder, "cert.pem") });

  expect(untrusted.code).toBe("FLEET_UNREACHABLE");
  expect(await bus.request("nobody", bytes(""), { timeoutMs: 20_000 })).toBeUndefined();
});

test("the seed of a user's key is proof", async () => {
  const { createUser } = await import("@nats-io/nkeys");
  const user = createUser();
  const config = () => `authorization { users: [{ nkey: ${user.getPublicKey()} }] }`;
  const { url, folder } = await server({ hasJetStream: false, config });
  const nkey = join(folder, "user.nk");
  writeFileSync(nkey, `${Buffer.from(user.getSeed()).toString()}\n`);

  const bus = await connected({ url, nkey });
  const refused = await errorOf(connected({ url }));

  expect(readFileSync(nkey, "utf8")).toMatch(/^SU/);
  expect(await bus.request("nobody", bytes(""), { timeoutMs: 20_000 })).toBeUndefined();
  expect(refused.code).toBe("FLEET_REFUSED");
});
