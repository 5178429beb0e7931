/**
 * Claude Code and Codex with the globally installed package, as steps of `npm run test:package`: connected by `limpet
 * setup` in an empty home, with a model of ours. The agent reaches a password prompt, and a person sees and answers it.
 * If a container engine runs, the agent also builds something in a container.
 */
import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPodmanEngine } from "../test/support/containers/podman-engine.mjs";
import { clients } from "./clients/clients.mjs";
import { fetchClient } from "./clients/fetch-clients.mjs";
import { withClient } from "./clients/test-client.mjs";
import { openRoom, USERS } from "./package-room.mjs";

const NAMES = ["codex", "claude"];
/** A client takes a whole processor while it starts. */
const AT_ONCE = 2;
const PASSWORD = "mellon";
const ASKING = 'stty -echo; printf "Password: "; read -r word; stty echo; echo; echo "got ${#word} letters"';
const BUILD = "set -e\nread -r name < name.txt\nprintf 'hello %s\\n' \"$name\" > greeting\nls /bin/busybox\n";

/** `nodes`: their paths by version. `tell` is called with each claim: `{ claim, problem }`. */
export async function checkAgents(folder, nodes, tell) {
  const engine = await openEngine(join(folder, "engine"));
  if (engine === undefined) console.log("skipped: builds in a container, for want of podman, busybox or root");
  const jobs = [];
  for (const name of NAMES) {
    const command = await fetchClient(name);
    if (command === undefined) console.log(`skipped: ${name} cannot be fetched`);
    else for (const job of jobsOf({ folder, name, nodes })) jobs.push({ ...job, program: within(folder, command) });
  }
  try {
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      for (let job = jobs.shift(); job; job = jobs.shift()) await perform({ ...job, engine }, tell);
    });
    await Promise.all(lanes);
  } finally {
    await engine?.close();
  }
}

function jobsOf({ folder, name, nodes }) {
  return Object.entries(nodes).flatMap(([version, node]) =>
    USERS.map((user) => {
      const place = join(folder, `agent-${name}-${version}-${user.at(-1)}`);
      const title = `${name} of ${user} with Node ${version}`;
      return { name, user, title, room: { folder: place, node, user, prefix: join(folder, "global") } };
    }),
  );
}

/** The client where every user can reach it. */
function within(folder, [program]) {
  const path = join(folder, "clients", String(program.split("/").at(-1)));
  mkdirSync(join(folder, "clients"), { recursive: true });
  if (existsSync(path)) return path;
  try {
    linkSync(program, path);
  } catch {
    copyFileSync(program, path);
  }
  return path;
}

async function perform({ name, user, title, room: place, program, engine }, tell) {
  const room = openRoom(place);
  const places = user === "root" && engine !== undefined;
  if (places) installEngine(room, engine);
  const given = { name, command: [...room.as, program], directory: place.folder, client: clientOf(name) };
  const { claims } = await withClient({ ...given, openHome: (_, { proxy }) => atHome(room, proxy) }, async (parts) => {
    await parts.converse(story({ ...parts, room, places }));
    // A container without Node has a host of its own on this machine.
    if (places) await room.limpet("host", "stop", "--at", "clean");
  });
  for (const { claim, problem } of claims) tell(`${title}: ${claim}`, problem);
}

/** Adds the settings that keep a client from reaching other machines. */
function atHome(room, proxy) {
  const names = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"];
  Object.assign(room.env, Object.fromEntries(names.map((name) => [name, proxy])));
  Object.assign(room.env, { NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost", PWD: room.project });
  return room;
}

/** Its files are where they are for everybody: `~/.claude.json` and `~/.codex`. */
function clientOf(name) {
  const { env, configure, ...client } = clients[name];
  return {
    ...client,
    env: (...args) => {
      const { CLAUDE_CONFIG_DIR: _, ...rest } = env(...args);
      return rest;
    },
    configure: (...args) => name !== "claude" && configure(...args),
  };
}

/** For root: podman with an image, and a place for it as docs/places.md says. */
function installEngine(room, { env }) {
  const words = Object.entries(env).map(([variable, value]) => `${variable}='${value}'`);
  const script = `#!/bin/sh\nexec env PATH=/usr/sbin:/usr/bin:/sbin:/bin ${words.join(" ")} podman "$@"\n`;
  writeFileSync(join(room.bin, "podman"), script, { mode: 0o755 });
  const config = join(room.home, ".config/limpet");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.json"), '{ "places": { "clean": { "image": "box", "engine": "podman" } } }\n');
  writeFileSync(join(room.project, "build.sh"), BUILD);
  writeFileSync(join(room.project, "name.txt"), "reader\n");
}

async function openEngine(folder) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/podman") || !existsSync("/bin/busybox")) return undefined;
  mkdirSync(folder);
  return await openPodmanEngine(folder).catch((error) => void console.log(`podman does not start: ${error.message}`));
}

function story({ hold, room, places }) {
  const call = (tool, args) => ({ call: tool, args });
  const person = (title, { output }, ...patterns) => hold(title, { text: output }, ...patterns);
  return async function* tell() {
    const asked = yield call("exec_command", { cmd: ASKING, name: "ask" });
    hold(
      "limpet reports the password prompt to the agent, and what a person can do",
      asked,
      /password/i,
      /limpet answer/,
    );
    person("limpet ls shows the person what waits", await room.limpet("ls"), /ask .*password/s);
    person("limpet answer types the password", await room.answer("ask", `${PASSWORD}\n`), /^(?!.*mellon)/s);

    const answered = yield call("wait_for", { session_ids: ["ask"] });
    hold("the agent sees what came of it, and not the password", answered, /got 6 letters/, /^(?!.*mellon)/s);
    person("limpet logs shows the same to the person", await room.limpet("logs", "ask"), /got 6 letters/);
    person("limpet audit says what the agent ran", await room.limpet("audit"), /stty -echo/);
    if (!places) return;

    const built = yield call("run", { command: "sh build.sh", place: "clean" });
    hold("the agent builds in a container", built, /\/bin\/busybox/, /code 0/);
    const file = join(room.project, "greeting");
    person(
      "what was built is in the project",
      { output: existsSync(file) ? readFileSync(file, "utf8") : "" },
      /^hello reader$/m,
    );
  };
}
