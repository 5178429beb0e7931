/**
 * Hosts of a fleet in one process, with sessions that are only listed: `many-hosts.mjs URL FOLDER HOSTS SESSIONS`, and
 * what `list` says of one session as JSON on stdin. A pseudo-terminal for each would be more than a machine has.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { importSource } from "../../scripts/import-source.mjs";

const [url = "", folder = "", hosts = "0", sessions = "0"] = process.argv.slice(2);
const { joinFleet, HostServer, openStateDirectory } = await importSource("../bench/programs/fleet-parts.mjs");
const summary = JSON.parse(await text(process.stdin));

for (let n = 1; n <= Number(hosts); n += 1) {
  const state = join(folder, `many-${n}`);
  mkdirSync(state, { mode: 0o700, recursive: true });
  const listed = Array.from({ length: Number(sessions) }, (_, at) => ({ ...summary, id: at + 1 }));
  const server = new HostServer({
    directory: openStateDirectory(state),
    sessionsFor: () => ({ list: async () => listed, running: async () => listed, events: never }),
    countRunning: () => listed.length,
    membersOfSessions: async () => new Set(),
    onStop: () => undefined,
    onClients: () => undefined,
  });
  joinFleet({
    access: { url },
    name: `host-${n}`,
    labels: ["many"],
    rules: { ceiling: () => undefined, limits: () => undefined, policy: { rules: () => ({ layers: [] }) } },
    onProblem: () => undefined,
  })({
    instance: server.instance,
    maxSessions: 10_000,
    countRunning: () => listed.length,
    running: () => [],
    onChange: () => undefined,
    journals: () => [],
    file: (name) => join(state, name),
    accept: (stream, { view }) => server.accept(stream, { view }),
  });
}

/** Nothing happens to these sessions. */
async function* never({ signal }) {
  await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
  yield* [];
}
