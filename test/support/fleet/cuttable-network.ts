/**
 * A separate network for one host of a fleet. It reaches NATS through a socket file, which works across network
 * namespaces. A test can cut the connection silently: packets are dropped, as when a cable is pulled.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { separateNetwork } from "../separate-network.ts";

export interface CuttableNetwork {
  /** Words before a program that runs inside of it. */
  readonly inside: readonly string[];
  cut(): void;
  heal(): void;
  close(): Promise<void>;
}

/** Listens inside at the port, and leads each connection to the socket file. */
const RELAY = `import { connect, createServer } from "node:net";
const [port, path] = process.argv.slice(2);
const server = createServer((near) => {
  const far = connect(path);
  near.pipe(far).pipe(near);
  for (const [one, other] of [[near, far], [far, near]]) one.on("error", () => other.destroy());
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready"));
`;

/** Needs root, `ip` and `iptables`. `port`: of NATS, here and inside. Close it after the tests. */
export async function cuttableNetwork(port: () => number, folder: string): Promise<CuttableNetwork> {
  const path = join(folder, "nats.sock");
  const outside = await listen(path, port);
  const { inside, holder, drop, heal } = await separateNetwork();
  const [nsenter, ...words] = inside;
  writeFileSync(join(folder, "relay.mjs"), RELAY);
  const relayed = [...words, process.execPath, join(folder, "relay.mjs"), String(port()), path];
  const relay = spawn(nsenter, relayed, { stdio: ["ignore", "pipe", "ignore"] });
  await once(relay.stdout, "data");
  return {
    inside,
    cut: drop,
    heal,
    async close() {
      await Promise.all([end(relay), end(holder)]);
      outside.close();
    },
  };
}

async function listen(path: string, port: () => number): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(port(), "127.0.0.1");
    near.pipe(far).pipe(near);
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
  });
  server.listen(path);
  await once(server, "listening");
  return server;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
