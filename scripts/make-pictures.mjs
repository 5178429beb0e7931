/**
 * Draws docs/pictures/top.png with limpet itself: some sessions in a separate host, `limpet top` in another session,
 * and a picture of its screen. Also docs/pictures/prompt.svg: an animated recording of a shell in which someone types
 * what an agent would.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeKey } from "limpet/keys";
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

const built = await build();
if (!built.ok) throw new Error(built.how);

const home = mkdtempSync(join(tmpdir(), "limpet-pictures-"));
const stateDirectory = join(home, "state");
const sessions = connectHost({ stateDirectory });
try {
  // Starts the host first: one started in a session would end with it.
  await sessions.running();
  writeFileSync(join(root, "docs", "pictures", "prompt.svg"), await animationOfPrompt());
  await startAll();
  writeFileSync(join(root, "docs", "pictures", "top.png"), await pictureOfTop());
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
    const { id } = await sessions.start({
      command,
      shell: "/bin/bash",
      login: false,
      cwd: home,
      env,
      ...(name === "" ? {} : { name }),
    });
    await sessions.wait({ keys: [id], quietMs: 500, deadlineMs: 1_500 });
  }
  await sessions.hold("db", { reason: "logging in" });
}

async function pictureOfTop() {
  const session = await openSession({
    program: process.execPath,
    args: [join(root, "dist", "bin", "main.js"), "top"],
    env: { LIMPET_HOME: stateDirectory },
    size: { cols: 120, rows: 12 },
  });
  try {
    const screen = screenOf(session);
    await waitForScreen(session, { until: "/s ", deadlineMs });
    for (const key of ["Down", "Down", "Down"]) await session.write(encodeKey(key, await screen.modes()));
    await waitForScreen(session, { stableMs: 300, deadlineMs: 1_500 });
    return await renderPng(await screen.snapshot({ cells: true }), { title: "limpet top", scale: 1 });
  } finally {
    await session.discard();
  }
}

/** A program waits for input, and someone notices it and answers, in another shell. */
async function animationOfPrompt() {
  const main = join(root, "dist", "bin", "main.js");
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
