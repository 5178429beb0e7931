/** The processes of a fleet on this machine, for benchmarks: NATS, hosts, clients (doors). All end with `end`. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
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
    /** A web server with an open page. */
    web: () => openWeb([MAIN, "web", "run", "--fleet", "--nats", url], { env, folder }),
    async end() {
      for (const child of children.reverse()) await endOf(child);
      // A client starts a local host, for the approvals and the audit of its user.
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
    megabytes: () => megabytesOf(child),
    close: () => endOf(child),
  };
}

async function openWeb(words, { env, folder }) {
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"], env, cwd: folder });
  await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, "web", "--json"], { env });
  const { origin, host, port, hash } = new URL(JSON.parse(stdout).link);
  // Only browsers resolve the name in a link.
  const ask = async (method, path, more) => {
    const headers = { Host: host, Origin: origin, "Content-Type": "application/json", ...more };
    const asked = request({ host: "127.0.0.1", port, method, path, headers });
    return [asked, once(asked, "response")];
  };
  const [signing, signed] = await ask("POST", "/api/sign-in");
  signing.end(JSON.stringify({ key: hash.slice("#key=".length) }));
  const cookie = (await signed)[0].headers["set-cookie"][0].split(";")[0];
  const [opening, opened] = await ask("GET", "/api/events", { Cookie: cookie });
  opening.end();
  const events = createInterface({ input: (await opened)[0] })[Symbol.asyncIterator]();
  let cards = 0;
  const reading = (async () => {
    for await (const line of events) {
      const { cards: given = [], isAll } = line.startsWith("data: ") ? JSON.parse(line.slice("data: ".length)) : {};
      cards = (isAll ? 0 : cards) + given.length;
    }
  })().catch(() => undefined);
  return {
    cards: () => cards,
    megabytes: () => megabytesOf(child),
    async close() {
      opening.destroy();
      await reading;
      await endOf(child);
    },
  };
}

function megabytesOf({ pid }) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
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
