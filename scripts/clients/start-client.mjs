/** Starts a client in a process group of its own, without a terminal. */
import { spawn } from "node:child_process";

const MAX_OUTPUT = 100_000;

/** `ended` resolves with how it ended: "" if all is well. */
export function startClient([program, ...first], args, { env, cwd, limitMs }) {
  const child = spawn(program, [...first, ...args], { env, cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let [output, how] = ["", ""];
  const kill = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-MAX_OUTPUT);
    });
  }
  const limit = setTimeout(() => {
    how = `took longer than ${limitMs / 1000} s`;
    kill();
  }, limitMs);
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(how || (code === 0 ? "" : `ended with ${signal ?? code}`)));
  }).finally(() => {
    clearTimeout(limit);
    // What the client leaves in its group, such as a server that it did not end.
    kill();
  });
  return { pid: child.pid, ended, kill, output: () => output };
}
