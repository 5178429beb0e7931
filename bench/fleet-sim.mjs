// A simulation of a large fleet: the placement and lease code of limpet under a clock of its own, without programs and
// without NATS. It counts the messages that NATS would carry, and how long the clients (doors) take to see that a third
// of the hosts is gone. Usage: node bench/fleet-sim.mjs [HOSTS] [SESSIONS]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { counted, writeFigures } from "./write-figures.mjs";

// Not part of the package's API, so bundled for this program.
const source = (path) => fileURLToPath(new URL(`../src/fleet/${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const parts = ["placement/choose-asked", "placement/choose-bid", "lease/judge-host", "lease/judge-session"];
const bundle = await rolldown({
  input: Object.fromEntries(parts.map((part) => [part.replace("/", "-"), source(`${part}.ts`)])),
  platform: "node",
});
await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
await bundle.close();
const [{ candidates, chooseAsked }, { chooseBid }, { judgeHost, LEASE_MS, LEASE_RENEWAL_MS }, { judgeSession }] =
  await Promise.all(parts.map((part) => import(join(folder, `${part.replace("/", "-")}.mjs`))));
rmSync(folder, { recursive: true });

const HOSTS = Number(process.argv[2] ?? 10_000);
const SESSIONS = Number(process.argv[3] ?? 1_000_000);
const DOORS = 5;
/** Two of three hosts can carry all sessions. */
const CAPACITY = Math.ceil((SESSIONS / HOSTS) * 2);
/** Starts that all doors together decide before the hosts count them. */
const AT_ONCE = 100;
const STARTS_PER_SECOND = 10_000;
/** Turns of each session per minute, for the share of the turns in all messages. */
const TURNS_PER_MINUTE = 1;
const TICK_MS = 100;
const WAY_MS = 20;

const started = process.hrtime.bigint();
let random = 1;
const draw = (below) => {
  random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
  return Math.floor((random / 2 ** 32) * below);
};

const hosts = Array.from({ length: HOSTS }, (_, index) => ({
  name: `host-${String(index).padStart(6, "0")}`,
  epoch: 1,
  isAlive: true,
  sessions: 0,
  renewsAtMs: draw(LEASE_RENEWAL_MS),
  /** When each door received the last renewal. */
  seenMs: new Array(DOORS).fill(0),
}));
const byName = new Map(hosts.map((host) => [host.name, host]));
let nowMs = 0;

report("hosts", HOSTS);
report("sessions", SESSIONS);
report("capacity of a host", CAPACITY);
report("doors", DOORS);

// 1. Fill the fleet.
tick(LEASE_RENEWAL_MS);
const fill = place(SESSIONS, 0);
report("messages per start", `${fill.perStart.toFixed(1)} (${ratio((2 * HOSTS + 2) / fill.perStart)} if all bid)`);
report("decision per start", `${fill.microsPerStart.toFixed(1)} µs of one processor`);
const filledSpread = deviation(hosts);
report("spread after the starts", spreadOf(hosts));

// 2. The steady state.
const renewals = HOSTS / (LEASE_RENEWAL_MS / 1000);
const leases = renewals * (2 + DOORS);
const turns = (SESSIONS * TURNS_PER_MINUTE * 2) / 60;
report("messages for leases", `${leases.toFixed(0)}/s (a write, its acknowledgement, one to each door)`);
report(`messages for ${TURNS_PER_MINUTE} turn a minute`, `${turns.toFixed(0)}/s (${ratio(turns / leases)} the leases)`);

// 3. A third of the hosts is gone, at the same moment.
tick(2 * LEASE_RENEWAL_MS);
const dead = hosts.filter((_, index) => index % 3 === 0);
const lostSessions = dead.reduce((sum, host) => sum + host.sessions, 0);
for (const host of dead) host.isAlive = false;
const lostAtMs = nowMs;
const untilSeen = new Map();
while (untilSeen.size < DOORS) {
  tick(TICK_MS);
  for (let door = 0; door < DOORS; door += 1)
    if (!untilSeen.has(door) && isTrueAt(door)) untilSeen.set(door, nowMs - lostAtMs);
  if (nowMs - lostAtMs > 10 * LEASE_MS) throw new Error("The doors do not agree.");
}
const slowestMs = Math.max(...untilSeen.values());
report("lost hosts", `${dead.length}, with ${lostSessions} sessions`);
report("all doors agree after", `${(slowestMs / 1000).toFixed(1)} s (${ratio(slowestMs / LEASE_MS)} a lease)`);

// 4. The agents start them again, at a bounded rate.
const beforeMs = nowMs;
const again = place(lostSessions, 1);
const alive = hosts.filter(({ isAlive }) => isAlive);
report("started again after", `${((nowMs - beforeMs) / 1000).toFixed(0)} s at ${STARTS_PER_SECOND}/s`);
report("refused for lack of room", again.refused);
report("spread after that", spreadOf(alive));

// 5. The lost hosts come back in a new epoch: every old session is reported as lost.
for (const host of dead) Object.assign(host, { isAlive: true, epoch: 2, sessions: 0 });
tick(LEASE_RENEWAL_MS + TICK_MS);
const wrong = dead.filter((host) => {
  const facts = { lease: leaseAt(host, 0), member: { epoch: host.epoch }, nowMs };
  return judgeSession({ epoch: 1, ...facts }) !== "lost" || judgeHost(facts) !== "up";
});
report("hosts back with a wrong state", wrong.length);
// The documents state the figures of this size.
if (process.argv.length === 2)
  writeFigures("fleet-sim", {
    hosts: counted(HOSTS),
    sessions: counted(SESSIONS),
    doors: counted(DOORS),
    "messages-per-start": counted(fill.perStart),
    spread: `${filledSpread.toFixed(1)} %`,
    "lease-messages": counted(leases),
    "seen-after": `${(slowestMs / 1000).toFixed(1)} s`,
  });
report("simulated time", `${(nowMs / 1000).toFixed(0)} s`);
report("time of the simulation", `${(Number(process.hrtime.bigint() - started) / 1e9).toFixed(1)} s`);

/** Advances the clock: hosts that are alive renew their leases. */
function tick(ms) {
  const untilMs = nowMs + ms;
  for (const host of hosts) {
    while (host.renewsAtMs <= untilMs) {
      if (host.isAlive) for (let door = 0; door < DOORS; door += 1) host.seenMs[door] = host.renewsAtMs + draw(WAY_MS);
      host.renewsAtMs += LEASE_RENEWAL_MS;
    }
  }
  nowMs = untilMs;
}

function leaseAt(host, door) {
  return { epoch: host.epoch, duty: "open", seenMs: host.seenMs[door] };
}

function isTrueAt(door) {
  return hosts.every((host) => {
    const state = judgeHost({ lease: leaseAt(host, door), member: { epoch: host.epoch }, nowMs });
    return (state === "up") === host.isAlive;
  });
}

function known(door) {
  return hosts.map((host) => ({
    name: host.name,
    epoch: host.epoch,
    state: judgeHost({ lease: leaseAt(host, door), member: { epoch: host.epoch }, nowMs }),
    labels: [],
    free: CAPACITY - host.sessions,
    sessions: host.sessions,
  }));
}

/** Starts sessions at a bounded rate. A door knows which hosts have room as of their last renewal. */
function place(count, round) {
  let [messages, refused, spent] = [0, 0, 0n];
  let seen = [];
  for (let start = 0; start < count; start += AT_ONCE) {
    if (start % STARTS_PER_SECOND === 0) {
      if (start > 0) tick(1_000);
      seen = candidates(known(0), undefined);
    }
    const chosen = [];
    const from = process.hrtime.bigint();
    for (let index = start; index < Math.min(count, start + AT_ONCE); index += 1) {
      const requestId = `${round}/${index}`;
      const asked = chooseAsked(seen, requestId).map(({ name }) => byName.get(name));
      const bids = asked.filter(({ isAlive }) => isAlive).map(bidOf);
      messages += asked.length + bids.length;
      const bid = chooseBid(bids, { requestId });
      if (bid) chosen.push(bid.host);
      else refused += 1;
    }
    spent += process.hrtime.bigint() - from;
    for (const name of chosen) byName.get(name).sessions += 1;
    messages += 2 * chosen.length;
  }
  return { perStart: messages / count, refused, microsPerStart: Number(spent) / 1e3 / count };
}

function bidOf({ name, epoch, sessions }) {
  const free = Math.max(0, CAPACITY - sessions);
  return { host: name, epoch, sessions, free, load: 0, hasImage: true, hasWorkspace: true };
}

function spreadOf(some) {
  return `${deviation(some).toFixed(1)} % at most from ${meanOf(some).toFixed(1)} sessions per host`;
}

/** How far the host that is furthest from the mean is from it, in percent. */
function deviation(some) {
  const mean = meanOf(some);
  return (100 * Math.max(...some.map(({ sessions }) => Math.abs(sessions - mean)))) / mean;
}

function meanOf(some) {
  return some.reduce((sum, { sessions }) => sum + sessions, 0) / some.length;
}

function ratio(number) {
  return `${number >= 10 ? number.toFixed(0) : number.toFixed(2)} x`;
}

function report(what, figure) {
  console.log(`${what.padEnd(36)} ${figure}`);
}
