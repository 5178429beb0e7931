/**
 * Draws docs/pictures/top.png and docs/pictures/attach.png with limpet itself: some sessions in a separate host,
 * `limpet top` and `limpet attach` in other sessions, and pictures of their screens. Also docs/pictures/prompt.svg: an
 * animated recording of a shell in which someone types what an agent would.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readRecording, recordingSvg, recordSession } from "limpet/record";
import { renderPng, screenOf, waitForScreen } from "limpet/screen";
import { connectHost } from "limpet/service";
import { openSession } from "limpet/session";
import { build, root } from "./run.mjs";

const deadlineMs = 20_000;
/** The program that waits for input: the same everywhere, and without network access. */
const DEPLOY = `#!/bin/bash
printf '\\e[32m✔\\e[0m 214 tests passed\\n'
printf '\\e[32m✔\\e[0m image built: web:1.4.2\\n'
read -rp $'\\e[1;33mDeploy to production?\\e[0m [y/N] '
for part in 20 40 60 80 100; do
  printf '\\r%3d%% \\e[36m%s\\e[0m' $part "$(printf '█%.0s' $(seq $((part / 4))))"
  sleep 0.3
done
printf '\\n\\e[32m✔\\e[0m web:1.4.2 is live\\n'
`;

const TYPED = [
  "limpet start --name ship ./deploy",
  "limpet wait ship        # until it exits, or asks",
  "limpet screen ship",
  "limpet send ship y --enter",
  "limpet wait ship --exit",
  "limpet screen ship",
];

/** What an agent does in its shell. Stand-ins print the same everywhere. */
const AGENT_COMMANDS = [
  "cd ~/shop && git status --short",
  "npm test",
  "sed -i 's/price \\* 100/price * count/' src/cart.js",
  "npm test",
];
const AGENT_PROGRAMS = {
  git: "printf ' M src/cart.js\\n?? src/cart.test.js\\n'",
  npm: `if [ -e .fixed ]; then printf '\\e[32m✔\\e[0m 3 tests passed\\n'; exit; fi; touch .fixed
printf '\\e[31m✘\\e[0m adds the prices\\n  expected 30, got 3000\\n\\e[32m✔\\e[0m 2 passed, \\e[31m1 failed\\e[0m\\n'; exit 1`,
  sed: "sleep 0.2",
};

const built = await build();
if (!built.ok) throw new Error(built.how);

const home = mkdtempSync(join(tmpdir(), "limpet-pictures-"));
const stateDirectory = join(home, "state");
// The folder of the sessions, as the pictures show it.
process.chdir(home);
const main = join(root, "dist", "bin", "main.js");
// Sees the sessions of all folders, as a person does.
const sessions = connectHost({ stateDirectory, reach: "user" });
try {
  // Starts the host first: one started in a session would end with it.
  await sessions.running();
  const save = (name, bytes) => writeFileSync(join(root, "docs", "pictures", name), bytes);
  save("prompt.svg", await animationOfPrompt());
  await startAll();
  const shell = await runAsAgent();
  save("attach.png", await pictureOfAttach(shell));
  save("top.png", await pictureOfTop());
} finally {
  await sessions.stopHost();
  rmSync(home, { recursive: true });
}

async function startAll() {
  const started = [
    ["dev", "npm run dev", "npm() { echo '  ready in 312 ms'; echo '  Local: http://localhost:5173/'; sleep 60; }"],
    [
      "build",
      "make -j8",
      'make() { while true; do for part in {red,blue,green}-{oak,elm}; do echo "CC $part.o"; sleep 0.02; done; done; }',
    ],
    ["", "python3 -q", ""],
    ["deploy", "ssh deploy@example.com", 'ssh() { read -rsp "$1\'s password: "; }'],
    ["notes", "vim notes.md", ""],
    ["db", "sqlite3", ""],
  ];
  for (const [name, command, stub] of started) {
    // The picture must be the same everywhere and nothing may use the network, so such programs are replaced by shell
    // functions.
    const env = stub === "" ? {} : { [`BASH_FUNC_${command.split(" ")[0]}%%`]: stub.replace(/^\w+/, "") };
    const start = { command, shell: "/bin/bash", login: false, cwd: home, env, ...(name === "" ? {} : { name }) };
    const wait = { kind: "output", quietMs: 500, deadlineMs: 1_500 };
    await sessions.turn({ caller: "codex", on: { kind: "start", start }, wait });
  }
  await sessions.hold("db", { reason: "logging in" });
}

/** Returns the id of the agent's shell. */
async function runAsAgent() {
  const bin = join(home, "bin");
  for (const folder of [bin, join(home, "shop")]) mkdirSync(folder);
  for (const [name, script] of Object.entries(AGENT_PROGRAMS)) {
    writeFileSync(join(bin, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  }
  const env = { HOME: home, PATH: `${bin}:${process.env.PATH}` };
  let id = 0;
  for (const command of AGENT_COMMANDS) {
    const run = { command, shell: "shop", cols: 96, fresh: { env, cwd: home, shell: "/bin/bash" } };
    ({ id } = (await sessions.turn({ caller: "codex", on: { kind: "run", run } })).session);
  }
  return id;
}

async function pictureOfAttach(id) {
  return await pictureOf(["attach", String(id)], { cols: 96, rows: 25 }, async (session) => {
    await waitForScreen(session, { until: "3 tests passed", deadlineMs });
  });
}

async function pictureOfTop() {
  return await pictureOf(["top"], { cols: 120, rows: 24 }, async (session) => {
    await waitForScreen(session, { until: "/s ", deadlineMs });
    await session.write("G");
    await waitForScreen(session, { until: "exit code 0 after", deadlineMs });
  });
}

/** A picture of a command of limpet, when `prepare` has made its screen what it should be. */
async function pictureOf(args, size, prepare) {
  const env = { LIMPET_HOME: stateDirectory, HOME: home };
  const session = await openSession({ program: process.execPath, args: [main, ...args], env, size });
  try {
    await prepare(session);
    await waitForScreen(session, { stableMs: 300, deadlineMs: 1_500 });
    const snapshot = await screenOf(session).snapshot({ cells: true });
    return await renderPng(snapshot, { title: `limpet ${args[0]}`, scale: 1 });
  } finally {
    await session.discard({ force: true });
  }
}

/** A program waits for input, and someone notices it and answers, in another shell. */
async function animationOfPrompt() {
  writeFileSync(join(home, "limpet"), `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`, { mode: 0o755 });
  writeFileSync(join(home, "deploy"), DEPLOY, { mode: 0o755 });
  const file = join(home, "prompt.cast");
  const session = await openSession({
    program: "/bin/bash",
    args: ["--norc", "--noprofile", "--noediting"],
    cwd: home,
    env: {
      LIMPET_HOME: stateDirectory,
      PATH: `${home}:${process.env.PATH}`,
      PS1: "\\[\\e[1;32m\\]❯\\[\\e[0m\\] ",
      LC_ALL: "C.UTF-8",
    },
    size: { cols: 72, rows: 18 },
  });
  try {
    await session.wait({ deadlineMs });
    const recording = await recordSession(session, { file });
    for (const line of TYPED) await type(session, line);
    await recording.stop();
    await sessions.close("ship", { force: true });
    return (await recordingSvg(await readRecording(file), { title: "a program asks, and is answered", idleMs: 1_200 }))
      .svg;
  } finally {
    await session.discard({ force: true });
  }
}

/** Types at the speed of a fast typist, then waits until the shell reads again. */
async function type(session, line) {
  await sleep(900);
  for (const key of line) {
    await session.write(key);
    await sleep(45);
  }
  await sleep(300);
  await session.write("\n");
  await session.wait({ deadlineMs });
}
