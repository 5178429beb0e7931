/**
 * `npm run map`: writes the tree of src/ into AGENTS.md. A file is described by the first sentence of its header, or of
 * the doc comment of its main export, so the map is always current. A test compares it with `describeTree()`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOMS = {
  base: "plain types and bounds of the domain; imports nothing of ours",
  "base/async": "promises, timers and work that waits",
  "base/format": "durations, lines and text, parsed and written",
  text: "pure: what an agent reads. Bytes and text in, text out",
  "text/escape": "where control sequences begin and end: one tokenizer for every reader of output",
  "text/clean": "control sequences out, redrawn lines in their last state",
  "text/clean/rows": "lines that are redrawn: the caret, what it overwrites, what is finished",
  "text/clean/binary": "bytes that are not text",
  "text/fold": "repeated lines to one line and a count",
  "text/budget": "head and tail within a budget of tokens",
  "text/search": "patterns and lines that match",
  linux: "what the kernel reports: processes, cgroups, locks, peers, ports. Does not know terminals",
  "linux/processes": "processes, their trees, their ends and what they do",
  "linux/files": "what descriptors are open on: files, sockets, terminals, ports",
  "linux/restrict": "what the kernel refuses a thread and everything it starts",
  pty: "a terminal on this machine: open, spawn, reap, mode",
  probe: "who waits for a terminal's input: decisions on what linux/ and pty/ observed",
  "probe/readers": "the processes that read a terminal, or may read it",
  transport: "the contract for running a program in a terminal, and its implementations",
  "transport/local": "programs on this machine, in a terminal or on pipes",
  "transport/env": "the environment of programs, without what looks like a secret",
  "transport/scripted": "a program in memory that follows a script, for tests",
  "transport/container": "programs in a container without a host, through the client of its engine",
  journal: "all output in order, in memory and on disk",
  "journal/redaction": "secrets replaced before output is stored or read",
  "journal/disk": "the part on disk: segments, records, and reading them back",
  session: "one program kept alive",
  "session/open": "from options to a running program",
  "session/registry": "many sessions: ids, names, limits, expiry",
  "session/input": "what is typed: queued, delivered in order, discarded by an interrupt key",
  "session/modes": "what programs set in their terminal: tracked, and undone when they die",
  "session/read": "output as text: pages, heads, tails, searches, readers",
  "session/wait": "decides when a wait ends",
  "session/wait/readiness": "whether a program that reads keys works or waits",
  shell: "commands with a structured result in one persistent shell",
  "shell/frame": "the marks around one command: typing, finding and following them",
  "shell/prompt": "decides whether the shell is at its prompt",
  "shell/dialects": "what differs between shells",
  keys: "text, keys, pastes and mouse events as bytes",
  screen: "what a person would see",
  "screen/drawing": "output drawn into a grid of cells, by a terminal without a window",
  "screen/painting": "a screen, and the output of programs, for another terminal",
  "screen/picture": "a snapshot as a picture",
  "screen/picture/player": "a recording as a page that plays it",
  "screen/picture/svg": "what an SVG of a screen is made of",
  "screen/picture/png": "from SVG to PNG: fonts, renderer, encoder",
  record: "sessions as files that can be replayed",
  safety: "what agents must not do, and who enforces it",
  "safety/sandbox": "programs that the kernel keeps inside a project",
  "safety/sandbox/namespaces": "what bwrap adds to a sandbox: its own mounts and its own network",
  "safety/sandbox/network": "the hosts that a sandbox may reach, and the proxy to them",
  "safety/sandbox/refusal": "whether it was the sandbox that refused something",
  "safety/guarded-files": "files of a project that run code later: remembered, compared, put back",
  "safety/redaction": "secrets in output, in every form that programs print: bytes in, masks out",
  "safety/secrets": "named secrets of the user: stored, described in config.json, read at the moment of use",
  "safety/audit": "who did what, as a chain of lines on disk that shows changes",
  "safety/policy": "rules over what agents are about to do: an act in, a verdict out",
  "safety/policy/syntax": "a line of bash as the commands in it",
  "safety/policy/caution": "what a command can do besides running the program that it names",
  "safety/policy/rules": "rules of a policy file: read, checked, compared with commands",
  "safety/policy/sources": "rules from elsewhere: presets and the settings of other agents",
  service: "the turn: all that tools may ask, wherever sessions live",
  "service/listing": "what is said about sessions: names, states, lists",
  "service/input": "what is typed, by whom, and whether it may be",
  "service/control": "what people do to sessions: hold, signal, resize, restart, close",
  "service/recordings": "recordings that run, and recordings as pictures",
  "service/sandbox": "sessions in sandboxes, and what their answers say about it",
  "service/turn": "one request and its answer: act, wait, read, remember",
  "service/owners": "whose sessions they are: callers and projects",
  "service/secrets": "secrets at password prompts and in variables",
  "service/redaction": "answers, streams and screens without secrets",
  "service/shells": "persistent shells by name, and when idle ones end",
  "service/approvals": "requests for a person's approval: asked, decided, used up by one turn",
  "service/events": "what happens in sessions, and what was reported to each caller",
  "service/metrics": "how long turns take, and what is refused",
  tools: "one file per tool, with the texts that a model reads",
  "tools/args": "arguments as models send them",
  "tools/guard": "what stands between a tool and its turn: the policy, and a person where it asks",
  "tools/answer": "a turn for a tool, and its answer as text",
  adapters: "the same tools for each ecosystem; each is a subpath of the package",
  "adapters/mcp": "the tools and the output of sessions over MCP; only these files know the SDK",
  "adapters/mcp/calls": "which calls are accepted, how they are limited and acknowledged",
  "adapters/mcp/questions": "what a person is asked through the client: approvals, and links for passwords",
  "adapters/mcp/resources": "the output of sessions as resources, and what watches it",
  "adapters/mcp/events": "what a client gets without a request: log messages and channels",
  host: "the process that owns sessions and outlives its clients",
  "host/client": "the side that asks: reach a host, send requests",
  "host/server": "the side that answers: connections, requests, streams",
  "host/files": "files that are copied to a host and from it, as both sides see them",
  "host/server/files": "the files that a client sends and fetches",
  "host/hooks": "the user's commands that run when something happens in a session",
  "host/metrics": "metrics of a host, for monitoring programs",
  "host/state": "what a host keeps on disk, and what a former one has left",
  config: "the user's defaults",
  "config/jsonc": "JSON with comments, read and edited",
  "config/settings": "how one setting is read",
  web: "what runs in a browser, and what serves it",
  "web/api/cards": "sessions as tiles: what each does, and what has changed",
  "web/api/stream": "the one stream of a page: all sessions, and the terminal that is open",
  "web/api/routes": "the routes, by what they are about",
  "web/server": "HTTP for browsers and agents: who gets in, and what is answered",
  "web/server/request": "what a request must be before anything is done for it",
  "web/server/answer": "what is sent back: headers, files, streams",
  "web/server/sign-in": "links, cookies, passwords: who a visitor is",
  "web/tokens": "the tokens of agents",
  "web/live": "a session as a live stream for asciinema's player",
  "web/mcp": "MCP over HTTP: sessions, independent requests, and what survives a broken connection",
  "web/process": "the web server as a process of its own, and the command line that asks it",
  "web/api": "what the page and the server say to each other",
  "web/page": "programs of pages, built for browsers",
  "web/page/state": "what the page knows and asks: plain data, one stream of events, requests",
  "web/page/terminal": "the terminal of a session, drawn by xterm.js",
  "web/page/player": "a recording that plays in a page",
  "web/page/view": "what a person sees of the page",
  "web/page/style": "style sheets of the page",
  places: "a host somewhere else: over ssh, or over any command",
  "places/boot": "what runs at a place first: finds Node there, unpacks limpet, becomes its host's relay",
  "places/link": "the command that reaches a place, as a stream",
  "places/container": "containers as places: those that run, and those made of an image",
  "places/node": "a Node for a place that has none",
  "places/files": "files that are copied to a place and from it",
  "places/spanning": "sessions here and at places as one service",
  "places/ssh": "the system's ssh: one connection for all links, and what it asks a person",
  fleet: "many hosts through NATS",
  "fleet/nats": "messages, requests and buckets of keys; the only folder that knows the NATS client",
  "fleet/link": "a stream of bytes between a client and a host over NATS, with numbered messages and credits",
  "fleet/journals": "copies of the output of sessions, for when their host is gone",
  "fleet/registry": "what hosts write about themselves in NATS: the entry, the lease, the key, and who may write them",
  "fleet/host": "a host in a fleet: it registers, accepts links, bids, and obeys operators",
  "fleet/door": "how clients see a fleet: its hosts, links to them, and where a new session goes",
  "fleet/lease": "the state of a host and of its sessions, from its lease and its epoch. Pure",
  "fleet/security": "credentials, permissions and certificates of a fleet",
  "fleet/security/certificate": "certificates for TLS, without openssl",
  "fleet/names": "names of sessions, unique in the whole fleet",
  "fleet/placement": "which host gets a session: labels and bids. Pure",
  "fleet/quotas": "how many sessions a caller or a project may run in the whole fleet",
  library: "the main functions of the library: run, open, connect; one Session wherever it lives",
  entries: "what each subpath of the package exports",
  cli: "the command line",
  "cli/boot": "the program limpet: loads the command line with compiled code of an earlier start",
  "cli/commands": "one file per command",
  "cli/commands/approval": "what agents want to do, and the person's decision",
  "cli/commands/control": "commands that act on a session",
  "cli/commands/files": "commands that copy files to a place and from it",
  "cli/commands/recording": "commands that make or play recordings and pictures",
  "cli/commands/secrets": "commands that take a secret from the person",
  "cli/commands/web": "commands of the web server",
  "cli/commands/report": "commands that report what happens and what is going on",
  "cli/events": "events of sessions for the command line",
  "cli/attach": "a person at a session's terminal",
  "cli/args": "what commands take, and reading it from the command line",
  "cli/help": "help texts and shell completion",
  "cli/print": "what is written to stdout and stderr",
  "cli/run": "limpet run: from start to exit code",
  "cli/view": "a session's output and screen, for a person or a script",
  "cli/pictures": "screens and recordings as picture files",
  "cli/top": "the live table of sessions",
  "cli/policy": "what limpet policy prints",
  "cli/mcp": "what agents are served over MCP",
  "cli/web": "links, addresses and tokens of the web server",
  "cli/fleet": "credentials of a fleet, and what to do with them",
  "cli/replay": "a recording in the person's terminal",
  "cli/settings": "flags, variables and config.json",
  "cli/setup": "limpet in the configuration of an agent client",
  "cli/doctor": "checks of this machine",
};

const BEGIN = "<!-- map: written by npm run map -->\n";
const END = "<!-- end of the map -->";
const WIDTH = 120;

export function describeTree() {
  const top = describeFolder("src", "");
  return `${BEGIN}\n\`\`\`text\n${top.join("\n")}\n\`\`\`\n\n${END}`;
}

/** AGENTS.md with the current map. */
export function withMap(page) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error("AGENTS.md has no markers for the map. Restore the comments around it.");
  return `${before}${describeTree()}${after}`;
}

function describeFolder(path, room) {
  const depth = room === "" ? 0 : room.split("/").length;
  const indent = "  ".repeat(depth);
  const entries = readdirSync(path, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  const files = entries.filter(({ name }) => /\.tsx?$/.test(name) && !/\.test(-d)?\.ts$/.test(name));
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const lines = files.map(({ name }) =>
    line(`${indent}${name}`, firstSentence(readFileSync(`${path}/${name}`, "utf8"))),
  );
  for (const name of inOrder(folders, room)) {
    const inner = room === "" ? name : `${room}/${name}`;
    if (ROOMS[inner] === undefined)
      throw new Error(`scripts/write-map.mjs does not describe src/${inner}. Add it to ROOMS.`);
    lines.push(line(`${indent}${name}/`, ROOMS[inner]), ...describeFolder(`${path}/${name}`, inner));
  }
  return lines;
}

/** Sorts rooms by layer. */
function inOrder(names, room) {
  const known = Object.keys(ROOMS);
  const place = (name) => known.indexOf(room === "" ? name : `${room}/${name}`);
  return names.sort((one, other) => place(one) - place(other));
}

function line(name, text) {
  const whole = `${name.padEnd(27)} ${text}`.trimEnd();
  return whole.length <= WIDTH ? whole : `${whole.slice(0, WIDTH - 1).trimEnd()}…`;
}

/** The first sentence of the header, or of the first exported declaration's comment. */
function firstSentence(source) {
  const header = /^(?:import [^;]*;\s*)*\/\*\*([\s\S]*?)\*\//.exec(source)?.[1];
  const ofExport = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export /.exec(source)?.[1];
  const comment = (header ?? ofExport ?? "").replace(/^\s*\* ?/gm, "").trim();
  const text = comment
    .split(/\n\s*\n/)[0]
    .replace(/\s+/g, " ")
    .trim();
  return /^(.+?[^.]\.)(?: |$)/.exec(text)?.[1].slice(0, -1) ?? text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync("AGENTS.md", withMap(readFileSync("AGENTS.md", "utf8")));
}
