/** A stream of bytes between a door and a host over a real NATS server, which loses and delays messages. */
import { createHash, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { type AcceptLinksOptions, acceptLinks } from "../../../src/fleet/link/accept-links.ts";
import type { LinkStream } from "../../../src/fleet/link/link-stream.ts";
import { type OpenLinkOptions, openLink } from "../../../src/fleet/link/open-link.ts";
import type { Bus } from "../../../src/fleet/nats/bus.ts";
import { connectNats } from "../../../src/fleet/nats/connect-nats.ts";
import type { Fate } from "../../support/fleet/hostile-bus.ts";
import { openLinked } from "../../support/fleet/linked.ts";
import { type NatsServer, startNats } from "../../support/fleet/nats-server.ts";
import { skipWithout } from "../../support/needs.ts";
import { errorOf } from "../../support/sessions.ts";

const { setUp, tearDown } = skipWithout("nats-server");
vi.setConfig({ testTimeout: 120_000 });

let nats: NatsServer;
let [atHost, atDoor]: (Bus | undefined)[] = [];
setUp(async () => {
  nats = await startNats({ hasJetStream: false });
  const access = { url: nats.url };
  atHost = await connectNats({ access, kind: "host", name: "gpu-1" });
  atDoor = await connectNats({ access, kind: "door", name: "desk" });
});
tearDown(async () => {
  await atHost?.close();
  await atDoor?.close();
  await nats?.close();
});

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const link = (fate?: Fate, options?: Parameters<typeof openLinked>[2]) =>
  openLinked({ atHost: atHost as Bus, atDoor: atDoor as Bus, ends }, fate, options);

/** With or without an error. */
function closed(stream: Duplex): Promise<void> {
  return new Promise((resolve) => void (stream.closed ? resolve() : stream.once("close", () => resolve())));
}

async function hashOf(stream: Duplex): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

test("megabytes arrive in both directions at once, in parts, unchanged, and the end arrives after them", async () => {
  const { near, far } = await link();
  const data = randomBytes(9 * 1024 * 1024 + 17);
  const expected = createHash("sha256").update(data).digest("hex");

  near.end(data);
  far.end(data);
  const hashes = await Promise.all([hashOf(near), hashOf(far)]);

  expect(hashes).toEqual([expected, expected]);
});

test("messages that are late are waited for", async () => {
  const { near, far } = await link(() => ({ times: 1, delayMs: 50 }));

  for (let n = 0; n < 50; n += 1) near.write(`${n} `);
  near.end();

  expect(await text(far)).toBe(Array.from({ length: 50 }, (_, n) => `${n} `).join(""));
});

test("a reader that does not read stops its writer at the window, and then gets everything", async () => {
  const { near, far } = await link();
  const data = randomBytes(4 * 1024 * 1024);
  let isSent = false;
  near.end(data, () => {
    isSent = true;
  });

  far.read(0);
  await expect.poll(() => far.readableLength).toBeGreaterThan(0);
  expect(isSent).toBe(false);
  const got = await hashOf(far);

  expect(got).toBe(createHash("sha256").update(data).digest("hex"));
});

test.each<[string, Fate]>([
  ["is lost", (n) => ({ times: n === 2 ? 0 : 1 })],
  ["comes twice", (n) => ({ times: n === 2 ? 2 : 1 })],
  ["is overtaken", (n) => ({ times: 1, delayMs: n === 2 ? 50 : 0 })],
])("a message that %s ends both sides as lost, after what came before it", async (_, fate) => {
  const { near, far } = await link(fate);
  let received = "";
  far.on("data", (chunk) => {
    received += chunk;
  });
  const lost = Promise.all([closed(near), closed(far)]);

  for (const part of ["a", "b", "c", "d", "e"]) near.write(part);
  await lost;

  expect("abc".startsWith(received)).toBe(true);
  expect([near.errored?.message, far.errored?.message]).toEqual([
    expect.stringContaining("The link broke"),
    "The link broke: a message got lost.",
  ]);
});

test("a side that falls silent is noticed by the other", async () => {
  // The link is open before the host misses anything, also if NATS is slow.
  const { near, far } = await link((n) => ({ times: n === 0 ? 1 : 0 }), { host: { tickMs: 1_000 } });
  near.write("hello");

  await closed(far);

  expect(far.errored?.message).toBe("The link broke: the other side gave no sign of life.");
});

test("a stream that is destroyed ends the other side at once", async () => {
  const { near, far } = await link();

  near.destroy();
  await closed(far);

  expect(far.errored?.message).toBe("The link broke: the other side has closed it.");
});

test.each<[string, Partial<AcceptLinksOptions>, Partial<OpenLinkOptions>, string]>([
  ["in a later epoch", { epoch: 4 }, { epoch: 3 }, "gpu-1 refused the link (it runs in epoch 4)."],
  ["in an earlier epoch", {}, { epoch: 4, openMs: 300 }, "gpu-1 does not answer."],
  ["without a lease", { mayServe: () => false }, { openMs: 300 }, "gpu-1 does not answer."],
  ["that is another one", {}, { isSigned: () => false }, "gpu-1 has a different key than the registered host."],
  ["that is not there", {}, { host: "gpu-2" }, "gpu-2 does not answer."],
])("a link to a host %s is refused", async (_, host, door, message) => {
  const error = await errorOf(link(undefined, { host, door }));

  expect([error.code, error.message.slice(0, message.length)]).toEqual(["PLACE_UNREACHABLE", message]);
});

test("a request that a host reads after its deadline opens no link", async () => {
  const opened: LinkStream[] = [];
  const onLink = (stream: LinkStream) => {
    stream.on("error", () => undefined);
    opened.push(stream);
  };
  const own = { host: "gpu-1", epoch: 3, mayServe: () => true, sign: () => "signed", onLaterEpoch: () => undefined };
  const links = acceptLinks(atHost as Bus, { ...own, onLink });
  ends.push(() => links.close());
  await (atHost as Bus).request("nobody", new Uint8Array(), { timeoutMs: 20_000 });
  const open = async (openMs: number) => {
    const near = await openLink(atDoor as Bus, { host: "gpu-1", door: "desk", openMs });
    ends.push(() => near.destroy());
  };
  // The fastest of them is prompt, also on a busy machine.
  for (let count = 0; count < 5; count += 1) await open(20_000);

  await nats.pause();
  ends.push(() => nats.resume());
  const unknown = await errorOf(open(100));
  await sleep(1_000);
  nats.resume();
  await open(20_000);

  expect(unknown.code).toBe("PLACE_UNREACHABLE");
  expect(opened).toHaveLength(6);
});

test("a link that is lost while it is opened is refused, and nothing else ends", async () => {
  const listeners: (() => void)[] = [];
  const bus: Bus = {
    ...(atDoor as Bus),
    onBack: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
    request: async () => {
      for (const listener of listeners) listener();
      return undefined;
    },
  };

  const error = await errorOf(openLink(bus, { host: "gpu-1", door: "desk" }));

  expect([error.code, error.message]).toEqual([
    "PLACE_UNREACHABLE",
    "gpu-1 lost its link while it was opened. Try again.",
  ]);
});

test("a door that knows a later epoch tells the host that it was replaced", async () => {
  const later: number[] = [];

  await errorOf(
    link(undefined, { host: { onLaterEpoch: (epoch) => later.push(epoch) }, door: { epoch: 9, openMs: 300 } }),
  );

  // It may read the request after the door has given up.
  await expect.poll(() => later).toEqual([9]);
});

test("links are lost with the connection to NATS, and new ones work when it is back", async () => {
  const { near, far } = await link();
  const lost = Promise.all([closed(near), closed(far)]);

  await nats.kill();
  await nats.start();
  await lost;
  // The two sides come back one after the other.
  const again = async () => {
    for (const end of ends.splice(0)) end();
    const next = await link().catch(() => undefined);
    next?.near.end("again");
    return next && (await text(next.far));
  };

  await expect.poll(again, { timeout: 60_000 }).toBe("again");
});
