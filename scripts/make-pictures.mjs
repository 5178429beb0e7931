/**
 * Draws docs/pictures/top.png with the product itself: some sessions in a host of their own, `limpet top` in a session
 * beside it, and a picture of that session's screen.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectHost, encodeKey, openSession, renderPng, screenOf, waitForScreen } from "limpet";
import { build, root } from "./run.mjs";

const deadlineMs = 20_000;
const built = await build();
if (!built.ok) throw new Error(built.how);

const home = mkdtempSync(join(tmpdir(), "limpet-pictures-"));
const stateDirectory = join(home, "state");
const sessions = connectHost({ stateDirectory });
try {
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
    // What is shown must be the same everywhere and reach nobody: programs that would are functions here.
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
    extraEnv: { LIMPET_HOME: stateDirectory },
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
