/**
 * `npm run fleet:demo`: a fleet on this machine. Starts NATS, three hosts and a client, runs a hundred sessions, kills
 * one host and shows what happens. Everything is in a temporary directory, and ends with the demo.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { root } from "./run.mjs";

const SESSIONS = 100;
const AT_ONCE = 8;
const PATIENCE_MS = 60_000;
const main = join(root, "dist/bin/main.js");
const folder = mkdtempSync(join(tmpdir(), "limpet-fleet-demo-"));
const processes = new Map();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => void clean().then(() => process.exit(1)));

try {
  const url = await startNats();
  const config = join(folder, "config", "limpet");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.json"), JSON.stringify({ fleet: { nats: url } }));
  for (const [index, name] of ["gpu-1", "gpu-2", "cpu-1"].entries()) startHost(url, name, index < 2 ? "gpu" : "cpu");
  await untilStates({ up: 3 });
  await show("Three hosts have joined through NATS", ["fleet", "status"]);

  say(`A hundred sessions, placed by bids`);
  const keys = await startSessions();
  await show(undefined, ["fleet", "status"]);
  await show("A command on any host with a label", ["run", "--at", "fleet:gpu", "echo hello from a gpu host"]);
  const key = keys.find((each) => each.startsWith("gpu-1/")) ?? "";
  await limpet(["send", key, "hello", "--enter"]);
  await limpet(["wait", key, "--until", "hello\\r?\\nhello", "--timeout", "30"]);
  await show(`A session is reached by its address, ${key}`, ["logs", key]);

  say("gpu-1 is killed");
  await end("gpu-1", "SIGKILL");
  await untilStates({ up: 2, unreachable: 1 });
  await show("Its lease has run out: it is unreachable, and the others go on", ["fleet", "status"]);
  print(`  ${await countOf({})} of ${SESSIONS} sessions are listed on the other hosts`);

  say("gpu-1 is started again");
  startHost(url, "gpu-1", "gpu");
  await untilStates({ up: 3 });
  await show("It is in its next epoch", ["fleet", "status"]);
  print(`  ${await countOf({ isLost: true })} sessions of its former process are lost, and can still be read:`);
  await show(undefined, ["logs", key]);
} finally {
  await clean();
}

async function clean() {
  await Promise.all([...processes.keys()].map((name) => end(name, name === "nats" ? "SIGKILL" : "SIGTERM")));
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function startNats() {
  const port = await freePort();
  const words = ["--addr", "127.0.0.1", "--port", String(port), "--jetstream", "--store_dir", join(folder, "nats")];
  const server = spawn("nats-server", words, { stdio: "ignore" });
  const failed = once(server, "error").then(() => {
    throw new Error("nats-server is not installed. On Debian: apt-get install nats-server");
  });
  processes.set("nats", server);
  await Promise.race([failed, sleep(500)]);
  return `nats://127.0.0.1:${port}`;
}

function startHost(url, name, label) {
  const words = [main, "host", "run", "--state", join(folder, name), "--join", url, "--name", name, "--label", label];
  processes.set(name, spawn(process.execPath, words, { stdio: "ignore", cwd: folder }));
}

async function end(name, signal) {
  const child = processes.get(name);
  processes.delete(name);
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function startSessions() {
  const keys = [];
  let open = SESSIONS;
  const work = async () => {
    while (open > 0) {
      open -= 1;
      keys.push((await limpet(["start", "--at", "fleet", "cat"])).trim());
      if (keys.length % 25 === 0) print(`  ${keys.length} of ${SESSIONS} have started`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return keys;
}

/** Waits until the given number of hosts is in each state. */
async function untilStates(wanted) {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const { stdout } = await run(["fleet", "status", "--json"]);
    const counts = {};
    for (const { state } of JSON.parse(stdout || "[]")) counts[state] = (counts[state] ?? 0) + 1;
    if (JSON.stringify(counts, Object.keys(wanted)) === JSON.stringify(wanted)) return;
    if (performance.now() > deadlineMs) throw new Error(`The hosts are ${JSON.stringify(counts)}.`);
    await sleep(200);
  }
}

async function countOf({ isLost = false }) {
  const listed = JSON.parse(await limpet(["ls", "--fleet", "--ended", "--json"]));
  return listed.filter(({ lost, exit }) => (isLost ? lost : !lost && exit === null)).length;
}

async function show(title, words) {
  if (title !== undefined) say(title);
  print(`  $ limpet ${words.map((word) => (/\s/.test(word) ? `'${word}'` : word)).join(" ")}`);
  const { stdout, stderr } = await run(words);
  for (const line of `${stdout}${stderr}`.trimEnd().split("\n")) print(`  ${line}`);
}

async function limpet(words) {
  const { stdout, stderr, code } = await run(words);
  if (code !== 0) throw new Error(`limpet ${words.join(" ")} exited with ${code}: ${stderr}`);
  return stdout;
}

async function run(words) {
  const env = { ...process.env, LIMPET_HOME: join(folder, "here"), XDG_CONFIG_HOME: join(folder, "config") };
  const options = { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 };
  return await promisify(execFile)(process.execPath, [main, ...words], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout = "", stderr = "" }) => ({ code, stdout, stderr }),
  );
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function say(text) {
  print(`\n• ${text}`);
}

function print(text) {
  console.log(text);
}
