// A page over the sessions of a host, as the web server of `limpet web` serves one: follows all sessions and one terminal, and
// fetches the picture of each of the first tiles when it has changed. Arguments: the bundled API, the state directory, the session
// whose terminal is open. Prints a line when it has all sessions, and its figures when its stdin ends.
import { connectHost } from "../../dist/entries/service.js";

const TILES = 24;
const [bundle, stateDirectory, terminal] = process.argv.slice(2);
const { apiRoutes } = await import(bundle);
const sessions = connectHost({ stateDirectory });
const routes = apiRoutes({ sessions, version: "bench", machine: "bench", recordings: "/nonexistent" });
const route = (path) => routes.find((each) => each.path === path);
const stop = new AbortController();
const visitor = { caller: "web bench", right: "view", isPerson: true, session: null };
const request = (params, query) => ({
  visitor,
  params,
  query: new URLSearchParams(query),
  lastEventId: null,
  etag: null,
});
const counts = { events: 0, bytes: 0, pictures: 0, pictureBytes: 0 };
const fetching = new Set();

process.stdin.resume().on("end", () => {
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  process.exit(0);
});

const { events } = await route("/api/events").answer({ ...request({}, { terminal }), signal: stop.signal });
for await (const event of events) {
  counts.events += 1;
  counts.bytes += JSON.stringify(event.data).length;
  if (event.event !== "sessions") continue;
  if (event.data.isAll) process.stdout.write("ready\n");
  for (const { key } of event.data.cards.filter(({ id }) => id <= TILES)) void fetchPicture(key);
}

/** One at a time for each tile, as a page does. */
async function fetchPicture(key) {
  if (fetching.has(key)) return;
  fetching.add(key);
  const { bytes } = await route("/api/sessions/:id/picture").answer({
    ...request({ id: key }, {}),
    signal: stop.signal,
  });
  counts.pictures += 1;
  counts.pictureBytes += bytes.length;
  fetching.delete(key);
}
