/**
 * Many sessions and many clients for a while: what the host holds at the end is what it held at the start, and what it
 * is asked takes no longer.
 *
 * How long a call takes says nothing on a machine that is busy with other things. So there is a second host, which
 * rests after the first fifth: at the end both are asked the same in turns, and only the one beside the other is looked
 * at.
 */

import { expect, test } from "vitest";
import { MAX_TOMBSTONES } from "../../../src/base/limits.ts";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import {
  readOutput,
  readScreen,
  runCommand,
  startSession,
  waitForSession,
} from "../../../src/service/turn/simple-turns.ts";
import { holdingsOf, MEMORY_FLAGS, memoryOf, onDisk } from "../../support/host/holdings.ts";
import { hostAt, hostDirectory, pidOf } from "../../support/host/host.ts";
import { isLong, until } from "../../support/sessions.ts";

const SESSIONS = isLong ? 100 : 20;
const CLIENTS = isLong ? 20 : 5;
const SOAK_MS = isLong ? 300_000 : 6_000;
const ROUNDS = isLong ? 200 : 60;
/** Costs that grow with the calls made would be five times as high, five times as many calls later. */
const MAX_GROWTH = 2;
/** Only for the code to be compiled, and for screens to be drawn for the first time. */
const UNCOUNTED_ROUNDS = 10;
/** A header for each piece of output, of which a short line may be one; the record of the session beside that. */
const DISK_BYTES_PER_BYTE = 10;
const RECORD_BYTES = 2_000;
/** Journals and screens fill up to their bounds. */
const MAX_MORE_BYTES = 64 * 1024 * 1024;
/** A host gives memory back some seconds after its last request. */
const REST_MS = 60_000;
const plain = { login: false, shell: "/bin/sh" };

interface Soaked {
  readonly directory: string;
  readonly client: HostClient;
  readonly clients: readonly HostClient[];
  readonly pid: number;
  /** Of the sessions that stay. */
  readonly ids: readonly number[];
}

interface Call {
  readonly client: HostClient;
  readonly id: number;
  readonly caller: string;
  /** How many came before. */
  readonly count: number;
}

/** All that is asked of a host, each measured on its own. */
const KINDS: Readonly<Record<string, (call: Call) => Promise<unknown>>> = {
  running: ({ client }) => client.running(),
  write: ({ client, id, caller, count }) => client.write(id, `from ${caller} ${count}\n`),
  unread: ({ client, id, caller }) => readOutput(client, id, { kind: "unread", caller }),
  tail: ({ client, id }) => readOutput(client, id, { kind: "tail", lines: 5 }),
  state: ({ client, id }) => client.turn({ caller: "state", on: { kind: "session", key: id } }),
  screen: ({ client, id, caller }) => readScreen(client, id, { caller }),
  list: ({ client }) => client.list({ ended: false }),
  run: async ({ client, caller, count }) => {
    const { exitCode, output } = await runCommand(client, {
      command: `echo ${count}`,
      shell: caller,
      caller,
      fresh: { shell: "/bin/sh" },
    });
    expect([exitCode, output]).toEqual([0, `${count}\n`]);
  },
  follow: async ({ client, id }) => {
    const { outputBytes } = await client.find(id);
    // One that prints nothing would be followed for ever.
    await client.write(id, "followed\n");
    for await (const page of client.output(id, { from: outputBytes })) if (page.next > outputBytes) break;
  },
  close: async ({ client }) => {
    const { id } = await startSession(client, { command: "seq 1 200", ...plain });
    await waitForSession(client, { keys: [id] });
    await client.close(id, { force: true });
  },
};

/** Those that take no time of their own, or leave something behind that is kept on purpose. */
const MORE_KINDS: typeof KINDS = {
  ...KINDS,
  wait: ({ client, id, caller }) => waitForSession(client, { keys: [id], caller, deadlineMs: 20 }),
  leave: async ({ client }) => {
    const { id } = await startSession(client, { command: "seq 1 20", ...plain });
    await waitForSession(client, { keys: [id] });
  },
};

async function openSoaked(): Promise<Soaked> {
  const directory = hostDirectory();
  const client = hostAt(directory, MEMORY_FLAGS);
  const ids: number[] = [];
  for (let n = 0; n < SESSIONS; n += 1) ids.push((await startSession(client, { command: "exec cat", ...plain })).id);
  const clients = Array.from({ length: CLIENTS }, () => hostAt(directory));
  // Each has a shell of its own, which stays.
  for (const [n, one] of clients.entries()) {
    ids.push(
      (await runCommand(one, { command: "true", shell: `c${n}`, caller: `c${n}`, fresh: { shell: "/bin/sh" } })).id,
    );
  }
  return { directory, client, clients, pid: await pidOf(client), ids };
}

/** Asks at random until the time is up. Resolves with how many of its calls were answered. */
async function mix({ clients, ids }: Soaked, ms: number): Promise<readonly number[]> {
  const untilMs = performance.now() + ms;
  const kinds = Object.values(MORE_KINDS);
  return await Promise.all(
    clients.map(async (client, n) => {
      let count = 0;
      for (; performance.now() < untilMs; count += 1) {
        const id = pick(ids.slice(0, SESSIONS));
        await pick(kinds)({ client, id, caller: `c${n}`, count });
      }
      return count;
    }),
  );
}

/** How many times as long each kind of call takes there as here: the median of pairs, of which one comes right after the other. */
async function timesAsLong(there: Soaked, here: Soaked): Promise<Record<string, number>> {
  const ratios = new Map<string, number[]>(Object.keys(KINDS).map((kind) => [kind, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [kind, ask] of Object.entries(KINDS)) {
      const took = new Map<Soaked, number>();
      // Neither of them is always the first.
      for (const host of round % 2 === 0 ? [there, here] : [here, there]) {
        const startedMs = performance.now();
        await ask({ client: host.client, id: host.ids[round % 5] ?? 0, caller: "probe", count: round });
        took.set(host, performance.now() - startedMs);
      }
      if (round >= UNCOUNTED_ROUNDS) ratios.get(kind)?.push((took.get(there) ?? 0) / (took.get(here) ?? 1));
    }
  }
  return Object.fromEntries([...ratios].map(([kind, values]) => [kind, median(values)]));
}

test(`${SESSIONS} sessions and ${CLIENTS} clients leave nothing behind, and slow nothing down`, {
  timeout: SOAK_MS * 1.2 + 240_000,
}, async () => {
  const [host, resting] = [await openSoaked(), await openSoaked()];
  await mix(resting, SOAK_MS / 5);
  await mix(host, SOAK_MS / 5);
  const early = holdingsOf(host.pid);
  const earlyBytes = await memoryOf(host.pid, host.directory);

  const calls = await mix(host, (SOAK_MS * 4) / 5);

  expect(Math.min(...calls)).toBeGreaterThan(0);
  await until(
    () => {
      const { descriptors, terminals, groups } = holdingsOf(host.pid);
      const { length } = host.ids;
      // One or two groups are held ready for the next sessions.
      return descriptors <= early.descriptors + 2 && terminals === length && groups <= length + 2;
    },
    () => `it holds what it held: ${JSON.stringify([early, holdingsOf(host.pid)])}`,
  );
  let lateBytes = Number.POSITIVE_INFINITY;
  await until(
    async () => {
      lateBytes = await memoryOf(host.pid, host.directory);
      return lateBytes - earlyBytes < MAX_MORE_BYTES;
    },
    () => `it gives memory back when it rests: ${earlyBytes} bytes before, ${lateBytes} after`,
    REST_MS,
  );
  expect((await host.client.running()).map(({ id }) => id)).toEqual(host.ids);

  const kept = await host.client.list({ ended: true });
  expect(kept.length).toBeLessThanOrEqual(host.ids.length + MAX_TOMBSTONES);
  await until(
    () => JSON.stringify(onDisk(host.directory).ids) === JSON.stringify(kept.map(({ id }) => id)),
    () => `only what can be read is on disk: ${onDisk(host.directory).ids} instead of ${kept.map(({ id }) => id)}`,
  );
  const printed = kept.reduce((sum, { outputBytes }) => sum + outputBytes, 0);
  expect(onDisk(host.directory).bytes).toBeLessThan(DISK_BYTES_PER_BYTE * printed + RECORD_BYTES * kept.length);

  const growth = await timesAsLong(host, resting);
  const grown = Object.entries(growth).filter(([, times]) => times > MAX_GROWTH);
  expect(grown, JSON.stringify(growth)).toEqual([]);

  for (const client of host.clients) client.disconnect();
  await until(async () => (await host.client.hostStatus())?.clients === 2, "only one client is left");
});

function pick<T>(some: readonly T[]): T {
  return some[Math.floor(Math.random() * some.length)] as T;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
