/** Three nats-servers that keep everything three times, each of which can be killed and started again. */
import { once } from "node:events";
import { createServer } from "node:net";
import { type NatsServer, startNats } from "./nats-server.ts";

export interface NatsCluster {
  /** Of all three. */
  readonly url: string;
  /** The server that decides about the entries of a bucket; undefined while the others choose one. */
  leaderOf(bucket: string): Promise<NatsServer | undefined>;
  /** Whether all three run, and have all that the others have. */
  isWhole(): Promise<boolean>;
  close(): Promise<void>;
}

const NAMES = ["n1", "n2", "n3"] as const;
/** A machine that is busy with other tests must not look like a server that is gone. */
const ASK_MS = 2_000;

/** Close it after the tests. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const ports = await freePorts(2 * NAMES.length);
  const routes = NAMES.map((_, index) => `nats://127.0.0.1:${ports[index]}`);
  const monitors = ports.slice(NAMES.length);
  const servers = await Promise.all(
    NAMES.map((name, index) =>
      startNats({
        config: () =>
          [
            `server_name: ${name}`,
            `http: "127.0.0.1:${monitors[index]}"`,
            `cluster { name: limpet, listen: "127.0.0.1:${ports[index]}", routes: [${routes.join(", ")}] }`,
          ].join("\n"),
      }),
    ),
  );
  return {
    url: servers.map(({ url }) => url).join(","),
    async leaderOf(bucket) {
      const leaders = await Promise.all(monitors.map((port) => leaderAt(port, `KV_${bucket}`)));
      const index = NAMES.findIndex((name) => leaders.includes(name));
      return servers[index];
    },
    isWhole: async () => (await Promise.all(monitors.map(isHealthy))).every(Boolean),
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

async function isHealthy(port: number): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/healthz`;
  return await fetch(url, { signal: AbortSignal.timeout(ASK_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** What one server says of it. */
async function leaderAt(port: number | undefined, stream: string): Promise<string | undefined> {
  try {
    const url = `http://127.0.0.1:${port}/jsz?streams=true`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(ASK_MS) });
    const { account_details: accounts = [] } = (await answer.json()) as Accounts;
    const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
    return streams.find(({ name }) => name === stream)?.cluster?.leader;
  } catch {
    return undefined;
  }
}

interface Accounts {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly { readonly name: string; readonly cluster?: { readonly leader?: string } }[];
  }[];
}

/** All are taken at once, so that they differ. */
async function freePorts(count: number): Promise<readonly number[]> {
  const listening = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  return await Promise.all(
    listening.map(async (server) => {
      const { port } = server.address() as { readonly port: number };
      server.close();
      await once(server, "close");
      return port;
    }),
  );
}
