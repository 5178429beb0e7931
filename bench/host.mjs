/** What the way through a host costs: the same calls in this process and over the socket, one after the other. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalService } from "../dist/adapters/mcp/index.js";
import { connectHost } from "../dist/entries/service.js";
import { SessionRegistry } from "../dist/entries/session.js";
import { median, percentile, progress, report, scaled } from "./measure.mjs";

const HOP_MS = 0.5;
const ROUNDS = 7;
const directory = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const host = connectHost({ stateDirectory: join(directory, "state") });
const registry = new SessionRegistry();
const local = new LocalService(registry);
const plain = { login: false, shell: "/bin/sh" };

try {
  const there = await host.start({ command: "echo hi; exec cat", ...plain });
  const here = await local.start({ command: "echo hi; exec cat", ...plain });
  report([
    await measure("identify", (sessions, id) => sessions.identify(id), { there, here }),
    await measure("unread", (sessions, id) => sessions.unread(id, { caller: "bench" }), { there, here }),
    await measure("write and wait for cat's answer", talk, { there, here }),
  ]);
} finally {
  await host.stopHost();
  await registry.closeAll({ force: true });
  rmSync(directory, { recursive: true });
}

async function talk(sessions, id) {
  await sessions.skipUnread(id, "bench");
  await sessions.write(id, "x\n");
  await sessions.wait({ keys: [id], caller: "bench", until: "x\\s+x" });
}

async function measure(name, call, { there, here }) {
  const found = { there: [], here: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    found.there.push(await p50(() => call(host, there.id)));
    found.here.push(await p50(() => call(local, here.id)));
  }
  const calls = name.startsWith("write") ? 3 : 1;
  const hopMs = median(found.there.map((ms, round) => (ms - found.here[round]) / calls));
  progress(`${name}: host ${median(found.there).toFixed(3)} ms, here ${median(found.here).toFixed(3)} ms`);
  return {
    figure: `${name} through a host, p50 (${calls} hops)`,
    ours: `${median(found.there).toFixed(3)} ms`,
    floor: `${median(found.here).toFixed(3)} ms`,
    target: `≤ ${HOP_MS} ms a hop (is ${hopMs.toFixed(3)})`,
    isMet: hopMs <= HOP_MS,
  };
}

async function p50(call) {
  const times = [];
  for (let n = scaled(200); n > 0; n -= 1) {
    const startedMs = performance.now();
    await call();
    times.push(performance.now() - startedMs);
  }
  return percentile(times, 50);
}
