/** Runs a server for tests in the background: on the loopback address, in its own process group, until it is closed. */
import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const READY_MS = 40_000;
const END_MS = 5_000;

/** Resolves when `isReady` does; rejects if the server ends before. Its output goes to a file in `folder`. */
export async function serve(command, { folder, env = {}, isReady }) {
  const log = openSync(join(folder, "log"), "a");
  const server = spawn(command[0], command.slice(1), {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", log, log],
    detached: true,
  });
  let failure;
  server.on("error", (error) => {
    failure = error;
  });
  const hasEnded = () => failure !== undefined || server.exitCode !== null || server.signalCode !== null;
  const close = async () => {
    for (const signal of ["SIGTERM", "SIGKILL"]) {
      if (!hasEnded()) killGroup(server.pid, signal);
      const endMs = Date.now() + END_MS;
      while (!hasEnded() && Date.now() < endMs) await sleep(20);
    }
  };
  const endMs = Date.now() + READY_MS;
  while (!(await isReady().catch(() => false))) {
    if (hasEnded() || Date.now() > endMs) {
      await close();
      throw new Error(`${command[0]} did not start; its log is ${join(folder, "log")}`, { cause: failure });
    }
    await sleep(50);
  }
  return { pid: server.pid, close };
}

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Whether somebody listens there. */
export function answers(where) {
  return new Promise((resolve) => {
    const socket = connect(where);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}
