/**
 * What a fleet costs, over a real nats-server on the loopback address: a turn through NATS compared with the same turn
 * over the host's socket, how evenly and how fast a burst of real programs starts on real hosts, the list of 20 hosts
 * with 500 sessions each, and the memory of clients (doors) that show them.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { importSource } from "../scripts/import-source.mjs";
import { inTurns, median, progress, report, scaled, timed } from "./measure.mjs";
import { startMachines } from "./programs/fleet-machines.mjs";

const TURN_EXTRA_MS = 1;
const LIST_MS = 300;
const SPREAD = 0.1;
const DOOR_MB = 150;
const PER_MINUTE = 1_000;
/** Several lists, also those of sessions that have ended. */
const WEB_MS = 25_000;
const HOSTS = 20;
const SESSIONS = 500;
const STARTS = scaled(1_000);
/** Each can run 256 sessions. */
const REAL_HOSTS = ["real", "real-2", "real-3", "real-4", "real-5"];
/** As many agents start programs at once on the direct host. Through the fleet, all of them are asked for at once. */
const DIRECT_AGENTS = 8;

const { FleetDoor, fleetService, hostClient, noSessionsHere } = await importSource("../bench/programs/fleet-parts.mjs");
const folder = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const machines = await startMachines(folder);
const door = new FleetDoor({ access: { url: machines.url } });
try {
  await sleep(500);
  const [socket] = REAL_HOSTS.map((name) => machines.host(name, "real"));
  await untilUp(REAL_HOSTS.length);
  report([await measureTurn(socket)]);
  const [summary] = await door.clientOf("real").list({ ended: false });
  report([await measureStarts(socket)]);
  const program = join(import.meta.dirname, "programs/many-hosts.mjs");
  const words = [program, machines.url, folder, String(HOSTS), String(SESSIONS)];
  machines.start(process.execPath, words, JSON.stringify(summary));
  await untilUp(HOSTS + REAL_HOSTS.length);
  report([await measureList()]);
  report([await measureDoor(), await measureWeb()]);
} finally {
  await door.close();
  await machines.end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** The same turn, which only reads, over both connections. */
async function measureTurn(socketPath) {
  const direct = directTo(socketPath);
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

/** Every second program ends at once, the others stay. */
async function measureStarts(socketPath) {
  const direct = directTo(socketPath);
  const few = Math.ceil(STARTS / 10);
  const floor = perMinute(few, await timed(() => startMany(direct, few, { agents: DIRECT_AGENTS, command: "true" })));
  direct.disconnect();
  const sessions = fleetService({ door, labels: "real", here: noSessionsHere() });
  const before = await startsAt();
  const ours = perMinute(STARTS, await timed(() => startMany(sessions, STARTS, { agents: STARTS })));
  const after = await startsAt();
  const counts = REAL_HOSTS.map((name) => after.get(name) - before.get(name) - 1);
  progress(`starts: ${REAL_HOSTS.map((name, index) => `${name} ${counts[index]}`).join(", ")}`);
  const spread = spreadOf(counts, STARTS / REAL_HOSTS.length);
  return {
    figure: `${STARTS} programs started on ${REAL_HOSTS.length} hosts, the largest deviation from even`,
    ours: `${(spread * 100).toFixed(1)} %, ${Math.round(ours)} per minute`,
    floor: `direct ${Math.round(floor)} per minute`,
    ratio: floor / ours,
    target: `≤ ${SPREAD * 100} %, ≥ ${PER_MINUTE} per minute`,
    isMet: spread <= SPREAD && ours >= PER_MINUTE,
  };
}

async function startMany(service, count, { agents, command }) {
  let left = count;
  const agent = async () => {
    while (left > 0) {
      left -= 1;
      const start = { shell: "/bin/sh", command: command ?? (left % 2 === 0 ? "true" : "read line") };
      await service.turn({ caller: "bench", requestId: crypto.randomUUID(), on: { kind: "start", start } });
    }
  };
  await Promise.all(Array.from({ length: agents }, agent));
}

/** How many sessions each host has started so far: ids are never used again. */
async function startsAt() {
  const highest = async (name) => {
    const { session } = await door
      .clientOf(name)
      .turn({ caller: "bench", on: { kind: "start", start: { command: "true", shell: "/bin/sh" } } });
    return [name, session.id];
  };
  return new Map(await Promise.all(REAL_HOSTS.map(highest)));
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

/** An MCP server whose agent lists all sessions again and again, beside one that has none. */
async function measureDoor() {
  const [ours, floor] = [await memoryOf("many"), await memoryOf("none")];
  return {
    figure: `memory of a door with ${HOSTS * SESSIONS} sessions`,
    ours: `${ours.toFixed(0)} MB`,
    floor: `without sessions ${floor.toFixed(0)} MB`,
    ratio: ours / floor,
    target: `≤ ${DOOR_MB} MB`,
    isMet: ours <= DOOR_MB,
  };
}

async function memoryOf(labels) {
  const server = await machines.door(labels);
  let most = 0;
  for (let round = 0; round < 5; round += 1) {
    const calling = server.call("list_sessions", {});
    const look = setInterval(() => {
      most = Math.max(most, server.megabytes());
    }, 10);
    await calling;
    clearInterval(look);
  }
  progress(`door of ${labels}: at most ${most.toFixed(0)} MB, ${server.megabytes().toFixed(0)} MB at the end`);
  await server.close();
  return most;
}

/** A web server with an open page, which lists all sessions again and again. */
async function measureWeb() {
  const web = await machines.web();
  let most = 0;
  const endMs = performance.now() + WEB_MS;
  while (performance.now() < endMs) {
    await sleep(20);
    most = Math.max(most, web.megabytes());
  }
  const cards = web.cards();
  await web.close();
  if (cards < HOSTS * SESSIONS) throw new Error(`The page got ${cards} sessions.`);
  return {
    figure: `memory of a web server with ${HOSTS * SESSIONS} sessions and a page`,
    ours: `${most.toFixed(0)} MB`,
    target: `≤ ${DOOR_MB} MB`,
    isMet: most <= DOOR_MB,
  };
}

function directTo(socketPath) {
  return hostClient(async () => {
    const socket = connect(socketPath);
    await once(socket, "connect");
    return socket;
  });
}

function spreadOf(counts, even) {
  return Math.max(...counts.map((count) => Math.abs(count - even))) / even;
}

function perMinute(count, tookMs) {
  return (count / tookMs) * 60_000;
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
