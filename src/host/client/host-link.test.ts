import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { type Deferred, deferred } from "../../base/async/deferred.ts";
import { untilAborted } from "../../base/async/until-aborted.ts";
import type { Connect, ConnectRequest } from "./connect-request.ts";
import { type HostClient, hostClient } from "./host-client.ts";
import type { HostStream } from "./host-stream.ts";
import { FAR_LINK, LOCAL_LINK } from "./link-rules.ts";

/** A host that says hello, and answers nothing else. */
class SilentHost extends Duplex implements HostStream {
  readonly asked: string[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    for (const line of chunk.toString().split("\n").filter(Boolean)) {
      const { id, method } = JSON.parse(line) as { readonly id: number; readonly method: string };
      this.asked.push(method);
      if (method === "hello") this.push(`${JSON.stringify({ jsonrpc: "2.0", id, result: { instance: "a" } })}\n`);
    }
    done();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

interface Reached {
  readonly client: HostClient;
  readonly hosts: SilentHost[];
  readonly requests: ConnectRequest[];
}

const kinds = {
  "on this machine": { rules: LOCAL_LINK },
  "at a place": { rules: FAR_LINK, isFar: true },
} as const;

function clientOf(kind: keyof typeof kinds, reach?: (host: SilentHost) => Promise<HostStream>): Reached {
  const [hosts, requests]: [SilentHost[], ConnectRequest[]] = [[], []];
  const connect: Connect = async (request) => {
    requests.push(request);
    const host = new SilentHost();
    hosts.push(host);
    return reach ? await reach(host) : host;
  };
  return { client: hostClient(connect, kinds[kind]), hosts, requests };
}

/** All that a client can wait with, as the codes of their errors. */
function waitingCalls(client: HostClient): Promise<readonly string[]> {
  const on = { kind: "run", run: { command: "true", shell: "main" } } as const;
  const waits = [
    client.find(1),
    client.list({ ended: false }),
    client.running(),
    client.approvals.list(),
    client.turn({ caller: "test", on }),
    drained(client.output(1, {})),
    drained(client.transcript(1, { isLive: true })),
    drained(client.events({})),
    drained(client.audit({ follow: true })),
    client.files.fetch("/etc/hostname"),
  ];
  return Promise.all(waits.map((wait) => wait.then(String, (error: { code: string }) => error.code)));
}

async function drained(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of values);
}

const allClosed = Array.from({ length: 10 }, () => "CLIENT_CLOSED");

for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
  test(`closing a client of a host ${kind} ends what waits for an answer, and nothing connects again`, async () => {
    const { client, hosts } = clientOf(kind);
    const states: string[] = [];
    client.onLink((state) => states.push(state));
    const waits = waitingCalls(client);
    await expect.poll(() => hosts[0]?.asked.length).toBe(11);
    const statesBefore = [...states];

    client.disconnect();
    client.disconnect();

    expect(await waits).toEqual(allClosed);
    expect(hosts).toHaveLength(1);
    expect(hosts[0]?.destroyed).toBe(true);
    expect(states).toEqual(statesBefore);
  });

  test(`closing a client of a host ${kind} ends what waits for a connection, and one that comes late is dropped`, async () => {
    const late: Deferred<void> = deferred();
    const { client, hosts, requests } = clientOf(kind, async (host) => {
      await late.promise;
      return host;
    });
    const waits = waitingCalls(client);
    await expect.poll(() => requests.length).toBe(1);

    client.disconnect();

    expect(await waits).toEqual(allClosed);
    expect(requests[0]?.signal?.reason).toMatchObject({ code: "CLIENT_CLOSED" });
    late.resolve();
    await expect.poll(() => hosts[0]?.destroyed).toBe(true);
    expect([hosts.length, hosts[0]?.asked]).toEqual([1, []]);
  });

  test(`a closed client of a host ${kind} refuses calls, drops notes, and still asks about the host itself`, async () => {
    const { client, hosts, requests } = clientOf(kind);
    client.disconnect();

    client.acknowledge({ caller: "test", receipt: { requestId: "a" } } as never);
    client.giveBack({ caller: "test", requestId: "a" });

    expect(await waitingCalls(client)).toEqual(allClosed);
    expect(requests).toEqual([]);
    void client.hostStatus().catch(() => undefined);
    await expect.poll(() => hosts[0]?.asked).toEqual(["status"]);
    hosts[0]?.destroy();
  });
}

test("closing a client whose link broke ends what waits for the next one, and no link is made", async () => {
  const next: Deferred<HostStream> = deferred();
  const { client, hosts, requests } = clientOf("at a place", async (host) =>
    hosts.length === 1 ? host : await untilAborted(next.promise, requests.at(-1)?.signal),
  );
  const waits = [client.turn({ caller: "test", on: { kind: "watch", key: 1 } as never }), drained(client.events({}))];
  const codes = Promise.all(
    waits.map((wait) => (wait as Promise<unknown>).catch((error: { code: string }) => error.code)),
  );
  await expect.poll(() => hosts[0]?.asked.length).toBe(3);
  hosts[0]?.destroy();
  await expect.poll(() => requests.length).toBe(2);

  client.disconnect();

  expect(await codes).toEqual(["CLIENT_CLOSED", "CLIENT_CLOSED"]);
  expect(requests).toHaveLength(2);
});
