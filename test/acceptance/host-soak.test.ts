/** Many sessions and many clients for a while: what the host holds at the end is what it held at the beginning. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { HostClient } from "../../src/host/client.ts";
import { hostAt, hostDirectory, pidOf } from "../support/host.ts";
import { isLong, until } from "../support/sessions.ts";

const SESSIONS = isLong ? 100 : 20;
const CLIENTS = isLong ? 20 : 5;
const SOAK_MS = isLong ? 300_000 : 6_000;
const plain = { login: false, shell: "/bin/sh" };

function holdings(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const targets = readdirSync(`/proc/${pid}/fd`).length;
  return { descriptors: targets, residentBytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024 };
}

/** Types, waits, reads, lists, follows, starts and closes, at random. Resolves with how many of its calls were answered. */
async function mix(
  client: HostClient,
  { ids, untilMs, name }: { ids: readonly number[]; untilMs: number; name: string },
) {
  let calls = 0;
  const pick = () => ids[Math.floor(Math.random() * ids.length)] ?? 0;
  while (performance.now() < untilMs) {
    const kind = Math.floor(Math.random() * 6);
    const id = pick();
    if (kind === 0) await client.write(id, `from ${name} ${calls}\n`);
    if (kind === 1) await client.wait({ keys: [id, pick()], caller: name, deadlineMs: 20 });
    if (kind === 2) await client.unread(id, { caller: name });
    if (kind === 3) await client.tail(id, 5, {});
    if (kind === 4) {
      // One that has printed nothing yet would be followed for ever.
      await client.write(id, "followed\n");
      for await (const page of client.output(id, { from: 0 })) if (page.next >= 0) break;
    }
    if (kind === 5) {
      const { id: short } = await client.start({ command: "seq 1 200", ...plain });
      await client.wait({ keys: [short] });
      await client.close(short, { force: true });
    }
    calls += 1;
  }
  return calls;
}

test(`${SESSIONS} sessions and ${CLIENTS} clients leave nothing behind`, { timeout: SOAK_MS + 120_000 }, async () => {
  const directory = hostDirectory();
  const first = hostAt(directory);
  const ids: number[] = [];
  for (let n = 0; n < SESSIONS; n += 1) ids.push((await first.start({ command: "exec cat", ...plain })).id);
  const pid = await pidOf(first);
  const clients = Array.from({ length: CLIENTS }, () => hostAt(directory));
  await Promise.all(clients.map((client) => client.running()));
  const run = (ms: number) =>
    Promise.all(clients.map((client, n) => mix(client, { ids, untilMs: performance.now() + ms, name: `c${n}` })));
  await run(SOAK_MS / 5);
  const early = holdings(pid);

  const calls = await run((SOAK_MS * 4) / 5);

  await until(() => holdings(pid).descriptors <= early.descriptors + 2, "descriptors are back");
  expect(Math.min(...calls)).toBeGreaterThan(0);
  expect(holdings(pid).residentBytes - early.residentBytes).toBeLessThan(64 * 1024 * 1024);
  expect((await first.running()).map(({ id }) => id)).toEqual(ids);
  for (const client of clients) client.disconnect();
  await until(async () => (await first.hostStatus())?.clients === 2, "only one client is left");
});
