/** The overhead of MCP: a command from request to answer, a line to a REPL, and the start of the server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { runFloor } from "./floor.mjs";
import { alternate, median, mustHold, percentile, progress, report, scaled } from "./measure.mjs";

const MAIN = join(import.meta.dirname, "..", "dist/bin/main.js");
const EXEC_EXTRA_MS = 3;
const WRITE_MS = 5;
const START_RATIO = 3;
const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
};

/** A client that does as little as possible. */
class Client {
  #child;
  #waiting = new Map();
  #rest = "";
  #lastId = 0;

  constructor(flags) {
    this.#child = spawn(process.execPath, [MAIN, "mcp", ...flags], { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop();
      for (const line of lines) this.#take(JSON.parse(line));
    });
  }

  ask(method, params) {
    this.#lastId += 1;
    const answered = new Promise((resolve) => this.#waiting.set(this.#lastId, resolve));
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: this.#lastId, method, params })}\n`);
    return answered;
  }

  async initialize() {
    await this.ask("initialize", INITIALIZE);
    this.#child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  async call(name, args) {
    const { result } = await this.ask("tools/call", { name, arguments: args });
    return result.structuredContent;
  }

  async end() {
    this.#child.stdin.end();
    await once(this.#child, "close");
  }

  #take(message) {
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}

const client = new Client(["--in-process"]);
await client.initialize();
const exec = await measureExec();
const write = await measureWrite();
await client.end();
report([exec, write, await measureStart()]);

async function measureExec() {
  const times = scaled(150);
  const ours = () =>
    timed(times, async () => {
      const { output } = await client.call("exec_command", { cmd: "echo hi", login: false });
      mustHold(output === "hi\n", `echo hi printed ${JSON.stringify(output)}`);
    });
  await ours();
  const found = await alternate({
    name: "exec_command",
    rounds: 7,
    ours,
    floor: () => runFloor("spawn", times, "/bin/bash", "-c", "echo hi"),
    show: ({ p50 }) => `${p50.toFixed(2)} ms`,
  });
  const extraMs = median(found.ours.map(({ p50 }, round) => p50 - found.floor[round].p50));
  return {
    figure: "exec_command echo hi over MCP, p50",
    ours: `${median(found.ours.map(({ p50 }) => p50)).toFixed(2)} ms`,
    floor: `${median(found.floor.map(({ p50 }) => p50)).toFixed(2)} ms`,
    target: `C + ${EXEC_EXTRA_MS} ms (is + ${extraMs.toFixed(2)})`,
    isMet: extraMs <= EXEC_EXTRA_MS,
  };
}

async function measureWrite() {
  const { session_id } = await client.call("exec_command", { cmd: "python3 -q", login: false, until: ">>> " });
  let number = 0;
  const { p50, p90 } = await timed(scaled(500), async () => {
    number += 1;
    const { output, yielded } = await client.call("write_stdin", { session_id, chars: `1000000 + ${number}\n` });
    mustHold(output.includes(String(1_000_000 + number)) && yielded === "input", `${yielded}: ${output}`);
  });
  progress(`write_stdin: p50 ${p50.toFixed(2)} ms, p90 ${p90.toFixed(2)} ms`);
  return {
    figure: "write_stdin of a line to Python's REPL, p50",
    ours: `${p50.toFixed(2)} ms`,
    target: `≤ ${WRITE_MS} ms`,
    isMet: p50 <= WRITE_MS,
  };
}

async function measureStart() {
  const found = await alternate({
    name: "start",
    rounds: 15,
    ours: startServer,
    floor: startNode,
    floorName: "node -e 0",
    show: (ms) => `${ms.toFixed(0)} ms`,
  });
  const ratio = median(found.ours.map((ms, round) => ms / found.floor[round]));
  return {
    figure: "start of the server to tools/list",
    ours: `${median(found.ours).toFixed(0)} ms`,
    floor: `${median(found.floor).toFixed(0)} ms`,
    ratio,
    target: `≤ ${START_RATIO} × node -e 0`,
    isMet: ratio <= START_RATIO,
  };
}

async function startServer() {
  const startedMs = performance.now();
  // Started with the defaults; a host is not needed before a tool is called.
  const server = new Client([]);
  await server.initialize();
  await server.ask("tools/list", {});
  const tookMs = performance.now() - startedMs;
  await server.end();
  return tookMs;
}

async function startNode() {
  const startedMs = performance.now();
  await once(spawn(process.execPath, ["-e", "0"]), "close");
  return performance.now() - startedMs;
}

async function timed(times, action) {
  const took = [];
  for (let i = 0; i < times; i += 1) {
    const startedMs = performance.now();
    await action();
    took.push(performance.now() - startedMs);
  }
  return { p50: median(took), p90: percentile(took, 90) };
}
