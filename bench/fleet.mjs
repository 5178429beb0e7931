/**
 * What a fleet costs, over a real nats-server on the loopback address: a turn through NATS compared with the same turn
 * over the host's socket, the list of 20 hosts with 500 sessions each, and how evenly sessions are placed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { importSource } from "../scripts/import-source.mjs";
import { inTurns, median, report, scaled, timed } from "./measure.mjs";

const TURN_EXTRA_MS = 1;
const LIST_MS = 300;
const SPREAD = 0.1;
const HOSTS = 20;
const SESSIONS = 500;
const STARTS = scaled(1_000);

const { FleetDoor, fleetService, hostClient, noSessionsHere } = await importSource("../bench/programs/fleet-parts.mjs");
const folder = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const children = [];
const port = await freePort();
const url = `nats://127.0.0.1:${port}`;
const door = new FleetDoor({ access: { url } });
try {
  const store = ["--jetstream", "--store_dir", join(folder, "nats")];
  start("nats-server", ["--addr", "127.0.0.1", "--port", String(port), ...store]);
  await sleep(500);
  const main = join(import.meta.dirname, "../dist/bin/main.js");
  const state = join(folder, "real");
  start(process.execPath, [main, "host", "run", "--state", state, "--join", url, "--name", "real", "--label", "real"]);
  await untilUp(1);
  report([await measureTurn(join(state, "host.sock"))]);
  const [summary] = await door.clientOf("real").list({ ended: false });
  const words = [join(import.meta.dirname, "programs/many-hosts.mjs"), url, folder, String(HOSTS), String(SESSIONS)];
  start(process.execPath, words, JSON.stringify(summary));
  await untilUp(HOSTS + 1);
  report([await measureList()]);
  report([await measurePlacement()]);
} finally {
  await door.close();
  for (const child of children.reverse()) await end(child);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** A turn that reads: what carries it is all that differs. */
async function measureTurn(socketPath) {
  const direct = hostClient(async () => {
    const socket = connect(socketPath);
    await once(socket, "connect");
    return socket;
  });
  const far = door.clientOf("real");
  const on = { kind: "start", start: { command: "cat", shell: "/bin/sh" } };
  const { session } = await far.turn({ caller: "bench", on });
  const turn = (client) => () =>
    client.turn({ caller: "bench", on: { kind: "session", key: session.id }, read: { kind: "unread" } });
  const { ways, extraMs } = await inTurns({
    name: "turn",
    rounds: 5,
    times: scaled(300),
    there: turn(far),
    here: turn(direct),
  });
  direct.disconnect();
  const ours = median(extraMs);
  return {
    figure: "turn through NATS, beyond the direct host, p50",
    ours: `${ours.toFixed(2)} ms (${median(ways.there).toFixed(2)} ms)`,
    floor: `direct ${median(ways.here).toFixed(2)} ms`,
    target: `≤ ${TURN_EXTRA_MS} ms`,
    isMet: ours <= TURN_EXTRA_MS,
  };
}

async function measureList() {
  const sessions = fleetService({ door, labels: "many", here: noSessionsHere() });
  const took = [];
  for (let round = 0; round < 6; round += 1) {
    took.push(
      await timed(async () => {
        const { length } = await sessions.list({ ended: false });
        if (length !== HOSTS * SESSIONS) throw new Error(`${length} sessions were listed.`);
      }),
    );
  }
  const ours = median(took.slice(1));
  return {
    figure: `list of ${HOSTS} hosts × ${SESSIONS} sessions`,
    ours: `${ours.toFixed(0)} ms`,
    target: `≤ ${LIST_MS} ms`,
    isMet: ours <= LIST_MS,
  };
}

async function measurePlacement() {
  const counts = new Map();
  const tookMs = await timed(async () => {
    for (let n = 0; n < STARTS; n += 1) {
      const host = await door.place({ labels: "many" });
      counts.set(host, (counts.get(host) ?? 0) + 1);
    }
  });
  const even = STARTS / HOSTS;
  const spread = Math.max(...[...counts.values()].map((count) => Math.abs(count - even))) / even;
  return {
    figure: `${STARTS} placements, the largest deviation from even`,
    ours: `${(spread * 100).toFixed(1)} %, ${Math.round((STARTS / tookMs) * 60_000)} per minute`,
    target: `≤ ${SPREAD * 100} %, ≥ 1000 per minute`,
    isMet: spread <= SPREAD && (STARTS / tookMs) * 60_000 >= 1_000,
  };
}

function start(program, words, input = "") {
  const child = spawn(program, words, { stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.end(input);
  children.push(child);
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

async function untilUp(count) {
  const deadlineMs = performance.now() + 60_000;
  for (;;) {
    const hosts = await door.hosts().catch(() => []);
    if (hosts.filter(({ state }) => state === "up").length === count) return;
    if (performance.now() > deadlineMs) throw new Error(`Not up: ${JSON.stringify(hosts)}`);
    await sleep(50);
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
