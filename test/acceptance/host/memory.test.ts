/** The memory of a host: bounded while clients misbehave, and given back when it rests. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { MEMORY_FLAGS, memoryNow } from "../../support/host/holdings.ts";
import { pidOf } from "../../support/host/host.ts";
import { HELLO, openHost, RawHostClient } from "../../support/host/raw-host-client.ts";
import { isLong, until } from "../../support/sessions.ts";

const MB = 1024 * 1024;
const MAX_MORE_BYTES = 64 * MB;
const HOSTILE = 12;
const CHURN_MS = isLong ? 120_000 : 4_000;
/** A host gives memory back some seconds after its last request. */
const REST_MS = isLong ? 60_000 : 25_000;
const plain = { login: false, shell: "/bin/sh" };

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}

/** Without a request meanwhile. */
async function untilSmall(pid: number, startBytes: number): Promise<void> {
  const isSmall = () => residentBytes(pid) - startBytes < MAX_MORE_BYTES;
  const told = () => `${(residentBytes(pid) - startBytes) / MB} MB more than at the start`;
  await until(isSmall, told, REST_MS);
}

test(`${HOSTILE} clients that begin long lines and read no answers cost little, and nothing later`, async () => {
  const { directory, client } = await openHost(MEMORY_FLAGS);
  const { id } = await startSession(client, {
    command: "head -c 6000000 /dev/zero | tr '\\0' x",
    tty: false,
    ...plain,
  });
  await waitForSession(client, { keys: [id], onInput: false });
  const pid = await pidOf(client);
  const startBytes = residentBytes(pid);
  const read = { kind: "text", raw: true, maxTokens: 4_000_000 };
  const params = { caller: "hostile", on: { kind: "session", key: id }, read };

  const hostile = Array.from({ length: HOSTILE }, () => new RawHostClient(directory));
  for (const raw of hostile) {
    raw.send(HELLO);
    await raw.answer(1);
    raw.socket.pause();
    for (let n = 2; n < 30; n += 1) raw.send({ jsonrpc: "2.0", id: n, method: "turn", params });
    raw.socket.write("x".repeat(7 * MB));
  }
  let mostBytes = 0;
  for (let n = 0; n < 10; n += 1) mostBytes = Math.max(mostBytes, await memoryNow(pid, directory));
  const running = await client.running();
  for (const raw of hostile) raw.socket.destroy();
  client.disconnect();

  expect(running).toEqual([]);
  // Eight answers in preparation, several copies each.
  expect((mostBytes - startBytes) / MB).toBeLessThan(600);
  await untilSmall(pid, startBytes);
});

test("sessions that come and go leave no memory behind", { timeout: CHURN_MS + REST_MS + 60_000 }, async () => {
  const { client } = await openHost();
  const churn = async () => {
    const { id } = await startSession(client, { command: "seq 1 20000", ...plain });
    await waitForSession(client, { keys: [id], onInput: false });
    await client.close(id, { force: true });
  };
  await Promise.all(Array.from({ length: 8 }, churn));
  const pid = await pidOf(client);
  const startBytes = residentBytes(pid);

  const endMs = performance.now() + CHURN_MS;
  const worker = async () => {
    while (performance.now() < endMs) await churn();
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  client.disconnect();

  await untilSmall(pid, startBytes);
});
