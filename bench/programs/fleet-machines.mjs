/** The processes of a fleet on this machine, for benchmarks: NATS, hosts, doors. All end with `end`. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const MAIN = join(import.meta.dirname, "../../dist/bin/main.js");

export async function startMachines(folder) {
  const port = await freePort();
  const url = `nats://127.0.0.1:${port}`;
  const children = [];
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config"), LIMPET_HOME: join(folder, "here") };
  const start = (program, words, input = "") => {
    const child = spawn(program, words, { stdio: ["pipe", "ignore", "ignore"], env });
    child.stdin.end(input);
    children.push(child);
  };
  start("nats-server", [
    ...["--addr", "127.0.0.1", "--port", String(port)],
    ...["--jetstream", "--store_dir", join(folder, "nats")],
  ]);
  return {
    url,
    start,
    /** Returns the path of its socket. */
    host(name, label) {
      const state = join(folder, name);
      const words = ["--state", state, "--join", url, "--name", name, "--label", label];
      start(process.execPath, [MAIN, "host", "run", ...words]);
      return join(state, "host.sock");
    },
    /** A server for an agent. It ends when `close` is called. */
    door: (labels) => openDoor([MAIN, "mcp", "--at", `fleet:${labels}`, "--nats", url], { env, folder }),
    async end() {
      for (const child of children.reverse()) await endOf(child);
      // A door starts one for the approvals and the audit of its user.
      await promisify(execFile)(process.execPath, [MAIN, "host", "stop"], { env }).catch(() => undefined);
    },
  };
}

async function openDoor(words, { env, folder }) {
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "ignore"], env, cwd: folder });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let count = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = async (method, params) => {
    count += 1;
    const id = count;
    send({ id, method, params });
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("The door has ended.");
      const answer = JSON.parse(value);
      if (answer.error) throw new Error(JSON.stringify(answer.error));
      if (answer.id === id) return answer.result;
    }
  };
  const clientInfo = { name: "bench", version: "1" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return {
    call: (name, args) => ask("tools/call", { name, arguments: args }),
    megabytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024,
    close: () => endOf(child),
  };
}

async function endOf(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
