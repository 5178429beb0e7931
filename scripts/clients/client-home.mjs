/**
 * A separate home for one run of a client: its files, `limpet` on its PATH, and an environment that reaches only
 * loopback.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { root, run } from "../run.mjs";
import { envAtHome } from "../tests/own-home.mjs";

const MAIN = join(root, "dist/bin/main.js");
const OBSERVE = fileURLToPath(new URL("observe.mjs", import.meta.url));

async function serveHttp(main, { env, cwd }) {
  const child = spawn(process.execPath, [main, "mcp", "--http"], { env, cwd, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    ended.then(([code]) => Promise.reject(new Error(`limpet mcp --http ended with ${code}`))),
  ]);
  return {
    url: line,
    async close() {
      child.kill();
      await ended;
    },
  };
}

export function makeHome(directory, { env, proxy }) {
  const folders = { home: "home", project: "home/project", bin: "bin", tools: "tools", tmp: "tmp" };
  const at = Object.fromEntries(Object.entries(folders).map(([name, path]) => [name, join(directory, path)]));
  for (const path of [...Object.values(at), join(at.project, "deep")]) mkdirSync(path, { recursive: true });
  // `limpet setup` writes the plain name of a program that is on the PATH.
  symlinkSync(MAIN, join(at.tools, "limpet"));
  copyFileSync(OBSERVE, join(at.bin, "observe.mjs"));
  const script = `#!/bin/sh\nexec "${process.execPath}" --import "${join(at.bin, "observe.mjs")}" "${MAIN}" "$@"\n`;
  writeFileSync(join(at.bin, "limpet"), script, { mode: 0o755 });
  const own = {
    ...envAtHome(env, at.home),
    PWD: at.project,
    PATH: `${at.bin}:${env.PATH}`,
    TMPDIR: at.tmp,
    // limpet creates it with access for this user only.
    LIMPET_HOME: join(directory, "state"),
    SHELL: "/bin/bash",
    TERM: "xterm-256color",
    ...Object.fromEntries(["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [name, proxy])),
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
  };
  return {
    ...at,
    env: own,
    limpet: (...args) =>
      run(`limpet ${args[0]}`, [process.execPath, join(at.tools, "limpet"), ...args], {
        env: own,
        cwd: at.project,
        limitMs: 20_000,
        capture: true,
      }),
    /** Serves MCP over HTTP. Resolves with the address and a function that ends the server. */
    serve: () => serveHttp(join(at.tools, "limpet"), { env: own, cwd: at.project }),
    /** The messages that the client has sent to our server. */
    messages() {
      const file = join(at.bin, "messages.jsonl");
      const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
      return lines.map((line) => JSON.parse(line));
    },
  };
}
