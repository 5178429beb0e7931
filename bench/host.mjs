/**
 * npm run bench:host: the cost of a turn through a host, compared with the same turn in this process, alternately; then
 * how a flood affects other callers (fairness.mjs).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalService } from "../dist/adapters/mcp/index.js";
import { connectHost } from "../dist/entries/service.js";
import { SessionRegistry } from "../dist/entries/session.js";
import { inTurns, median, report, scaled, showSpread } from "./measure.mjs";

const EXEC_HOP_MS = 0.6;
const TURN_HOP_MS = 0.5;
const ROUNDS = 7;
const CALLER = "bench";
const plain = { login: false, shell: "/bin/sh" };

const directory = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const host = connectHost({ stateDirectory: join(directory, "state") });
const registry = new SessionRegistry();
const local = new LocalService(registry);

try {
  const ids = new Map();
  for (const service of [host, local]) ids.set(service, await startCat(service));
  const talk = (service) =>
    turn(service, {
      on: { kind: "session", key: ids.get(service) },
      skipUnread: true,
      input: { strokes: [{ kind: "text", text: "x\n" }] },
      wait: { kind: "output", until: "x\\s+x" },
      read: { kind: "unread" },
    });
  const echo = (service) =>
    turn(service, {
      on: { kind: "start", start: { command: "echo hi", ...plain } },
      wait: { kind: "output" },
      read: { kind: "unread" },
    });
  const read = (service) => turn(service, { on: { kind: "session", key: ids.get(service) }, read: { kind: "unread" } });
  report([
    await measure("find", (service) => service.find(ids.get(service)), { times: 400, mostMs: TURN_HOP_MS }),
    await measure("a turn that reads", read, { times: 400, mostMs: TURN_HOP_MS }),
    await measure("a turn that types to cat, waits and reads", talk, { times: 200, mostMs: TURN_HOP_MS }),
    await measure("a turn that runs echo hi, waits and reads", echo, { times: 100, mostMs: EXEC_HOP_MS }),
    await measure("the same 50 ms after the last one", echo, { times: 20, mostMs: EXEC_HOP_MS, pauseMs: 50 }),
  ]);
} finally {
  await host.stopHost();
  await registry.closeAll({ force: true });
  rmSync(directory, { recursive: true });
}
await import("./fairness.mjs");

async function startCat(service) {
  const on = { kind: "start", start: { command: "exec cat", ...plain } };
  return (await service.turn({ caller: CALLER, on })).session.id;
}

async function turn(service, request) {
  const { receipt } = await service.turn({ caller: CALLER, ...request });
  if (receipt) service.acknowledge({ caller: CALLER, receipt });
}

async function measure(name, call, { times, mostMs, pauseMs = 0 }) {
  const { ways, extraMs } = await inTurns({
    name,
    rounds: ROUNDS,
    pauseMs,
    times: scaled(times),
    there: () => call(host),
    here: () => call(local),
  });
  return {
    figure: `${name} through a host, p50`,
    ours: showSpread(ways.there),
    floor: showSpread(ways.here),
    ratio: median(ways.there) / median(ways.here),
    target: `in-process + ${mostMs} ms (is ${showSpread(extraMs, "+ ")})`,
    isMet: median(extraMs) <= mostMs,
  };
}
