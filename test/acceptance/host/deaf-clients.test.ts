/** Clients that do not take what they asked for: they cost the host little, and nobody else waits for them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { pidOf } from "../../support/host/host.ts";
import { HELLO, openHost, RawHostClient } from "../../support/host/raw-host-client.ts";
import { until } from "../../support/sessions.ts";

const plain = { login: false, shell: "/bin/sh" };

// Forty megabytes through a terminal take a busy machine a minute.
test("a client that never takes its output costs the host nothing, and is told exactly what it missed", {
  timeout: 180_000,
}, async () => {
  const { client } = await openHost();
  const pid = await pidOf(client);
  const total = 40_000_000;
  const { id } = await startSession(client, {
    command: `stty raw; echo go; read x; head -c ${total} /dev/zero | tr '\\0' 'a'`,
    ...plain,
  });
  await waitForSession(client, { keys: [id], until: "go", onInput: false });
  const before = residentBytes(pid);
  let most = 0;
  let [bytes, dropped, from] = [0, 0, 0];
  const pages = client.output(id, { from: 0 });

  for await (const page of pages) {
    if (from === 0) {
      await client.write(id, "\n");
      await until(async () => (await client.find(id)).exit !== null, "all is printed", 120_000);
    }
    expect(page.from).toBe(from + page.dropped);
    [bytes, dropped, from] = [bytes + page.bytes.length, dropped + page.dropped, page.next];
    most = Math.max(most, residentBytes(pid) - before);
  }

  expect(bytes + dropped).toBe(from);
  expect(from).toBeGreaterThanOrEqual(total);
  expect(most).toBeLessThan(96 * 1024 * 1024);
});

test("a client that asks and never listens is let go, and the others are served meanwhile", async () => {
  const { directory, client } = await openHost();
  const { id } = await startSession(client, { command: "head -c 900000 /dev/zero | tr '\\0' 'a'", ...plain });
  await waitForSession(client, { keys: [id] });
  const before = residentBytes(await pidOf(client));
  const raw = new RawHostClient(directory);
  raw.send(HELLO);
  await raw.answer(1);
  raw.socket.pause();

  for (let n = 2; n < 2_000; n += 1) {
    const read = { kind: "text", raw: true, maxTokens: 1_000_000 };
    const params = { caller: "x", on: { kind: "session", key: id }, read };
    raw.send({ jsonrpc: "2.0", id: n, method: "turn", params });
  }

  for (let n = 0; n < 20; n += 1) expect(await client.find(id)).toMatchObject({ id });
  expect(residentBytes(await pidOf(client)) - before).toBeLessThan(512 * 1024 * 1024);
  raw.socket.destroy();
  await until(async () => (await client.hostStatus())?.clients === 2, "it is gone");
});

function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}
