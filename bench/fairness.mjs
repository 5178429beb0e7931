/**
 * How a flood affects other callers. Callers talk to a hundred sessions of one host in four situations: nothing else
 * runs; one more caller floods four sessions and reads them all the time; the same four floods run outside the host,
 * read by C programs; one more caller runs short commands.
 *
 * The flood outside the host separates the effect of the host's event loop from the effect of shared processors.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectHost } from "../dist/entries/service.js";
import { floorProgram } from "./floor.mjs";
import { median, mustHold, percentile, progress, ratios, report, roundsOf, scaled, timed } from "./measure.mjs";

const CALLERS = 19;
const SESSIONS = 96;
const FLOODS = 4;
const ENDLESS = String(2 ** 50);
const PHASE_MS = scaled(5_000);
/** Between two turns of one caller: all of them together make some 200 turns a second. */
const PAUSE_MS = 80;
const MOST = 2;
/** Between two short commands: after a pause like this, the kernel takes long to move a process to another group. */
const COMMAND_PAUSE_MS = 40;

const directory = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const stateDirectory = join(directory, "state");
const producer = floorProgram("producer");
const reader = floorProgram("reader");
const hosts = Array.from({ length: CALLERS }, () => connectHost({ stateDirectory }));
const [first] = hosts;

const PHASES = {
  rest: async () => async () => undefined,
  flooded: floodInside,
  outside: floodOutside,
  commands: runCommands,
};

try {
  const ids = [];
  for (let i = 0; i < SESSIONS; i += 1) ids.push(await startCat(first));
  await phase("warm up", ids, PHASES.rest);
  const found = Object.fromEntries(Object.keys(PHASES).map((name) => [name, []]));
  for (let round = 1; round <= roundsOf(5); round += 1) {
    for (const [name, start] of Object.entries(PHASES)) found[name].push(await phase(`${name} ${round}`, ids, start));
  }
  report([row("talk", "a turn with cat", found), row("find", "find", found), commandsRow(found)]);
} finally {
  await first.stopHost();
  rmSync(directory, { recursive: true });
}

function row(kind, what, { rest, flooded, outside }) {
  const [atRest, inside, beside] = [rest, flooded, outside].map((rounds) => rounds.map((times) => p99(times[kind])));
  const ratio = median(ratios(inside, atRest));
  const outsideRatio = median(ratios(beside, atRest));
  return {
    figure: `${CALLERS + 1} callers, ${SESSIONS + FLOODS} sessions: p99 of ${what} while one caller floods ${FLOODS}`,
    ours: `${median(inside).toFixed(2)} ms`,
    floor: `${median(atRest).toFixed(2)} ms at rest`,
    ratio,
    target: `≤ ${MOST} × at rest (the same flood outside of the host: × ${outsideRatio.toFixed(2)})`,
    isMet: ratio <= MOST,
  };
}

function commandsRow({ rest, commands }) {
  const [atRest, beside] = [rest, commands].map((rounds) => rounds.map((times) => p99(times.find)));
  return {
    figure: `${CALLERS + 1} callers, ${SESSIONS} sessions: p99 of find while one caller runs short commands`,
    ours: `${median(beside).toFixed(2)} ms`,
    floor: `${median(atRest).toFixed(2)} ms at rest`,
    ratio: median(ratios(beside, atRest)),
  };
}

async function phase(name, ids, start) {
  const end = await start();
  const untilMs = performance.now() + PHASE_MS;
  const times = { talk: [], find: [] };
  await Promise.all(hosts.map((host, at) => neighbour(host, { ids: shareOf(ids, at), untilMs, times })));
  const did = await end();
  const shown = Object.entries(times).map(
    ([kind, took]) => `${kind} p50 ${median(took).toFixed(2)} ms, p99 ${p99(took).toFixed(2)} ms of ${took.length}`,
  );
  progress(`${name}: ${shown.join("; ")}${did ? `; flooded ${did}` : ""}`);
  return times;
}

function shareOf(ids, at) {
  return ids.filter((_, index) => index % CALLERS === at);
}

async function neighbour(host, { ids, untilMs, times }) {
  await sleep(Math.random() * PAUSE_MS);
  for (let n = 0; performance.now() < untilMs; n += 1) {
    const id = ids[n % ids.length];
    times.talk.push(await timed(() => talk(host, id)));
    await sleep(PAUSE_MS * (0.25 + Math.random() / 2));
    times.find.push(await timed(() => host.find(id)));
    await sleep(PAUSE_MS * (0.25 + Math.random() / 2));
  }
}

async function talk(host, key) {
  const { output, receipt } = await host.turn({
    caller: "neighbour",
    on: { kind: "session", key },
    skipUnread: true,
    input: { strokes: [{ kind: "text", text: "ping\n" }] },
    wait: { kind: "output", until: "ping\\s+ping", deadlineMs: 10_000 },
    read: { kind: "unread" },
  });
  mustHold(output.text === "ping\nping\n", `cat answered ${JSON.stringify(output.text)}`);
  host.acknowledge({ caller: "neighbour", receipt });
}

async function startCat(host) {
  const start = { command: "exec cat", shell: "/bin/sh", login: false };
  return (await host.turn({ caller: "neighbour", on: { kind: "start", start } })).session.id;
}

/** In a separate process, so that reading the flood is not work of this process. */
async function floodInside() {
  const args = [join(import.meta.dirname, "flood-caller.mjs"), stateDirectory, String(FLOODS), producer, ENDLESS];
  const caller = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  await once(caller.stdout, "data");
  return async () => {
    const said = once(caller.stdout, "data");
    caller.stdin.end();
    const [line] = await said;
    await once(caller, "close");
    return String(line).trim();
  };
}

async function floodOutside() {
  const readers = Array.from({ length: FLOODS }, () =>
    spawn(reader, [producer, "lines", ENDLESS], { stdio: "ignore" }),
  );
  return async () => {
    for (const child of readers) {
      child.kill("SIGKILL");
      await once(child, "close");
    }
  };
}

async function runCommands() {
  const host = connectHost({ stateDirectory });
  const start = { command: "echo hi", shell: "/bin/sh", login: false };
  let isOver = false;
  const runAll = async () => {
    while (!isOver) {
      const { receipt } = await host.turn({
        caller: "commands",
        on: { kind: "start", start },
        wait: { kind: "output" },
        read: { kind: "unread" },
      });
      host.acknowledge({ caller: "commands", receipt });
      await sleep(COMMAND_PAUSE_MS);
    }
  };
  const all = runAll();
  return async () => {
    isOver = true;
    await all;
    host.disconnect();
  };
}

function p99(times) {
  return percentile(times, 99);
}
