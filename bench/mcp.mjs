/**
 * What a call over MCP costs, through a host (the default) and in the server's own process, in turns: a command from request to
 * answer, a line to a REPL, and the start of the server.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectHost } from "../dist/entries/service.js";
import { runFloor } from "./floor.mjs";
import { McpClient } from "./mcp-client.mjs";
import { alternate, inTurns, median, mustHold, report, scaled, showSpread, timed } from "./measure.mjs";

const EXEC_EXTRA_MS = 3;
const EXEC_HOP_MS = 0.6;
const WRITE_MS = 5;
const WRITE_HOP_MS = 0.5;
const START_RATIO = 3;
/** Agents pause between their calls. Without a pause, a call also waits for what the last one left to do. */
const PAUSE_MS = 50;

const directory = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const stateDirectory = join(directory, "state");
const throughHost = ["--state", stateDirectory];
const inProcess = ["--in-process"];
const there = new McpClient(throughHost);
const here = new McpClient(inProcess);
try {
  await Promise.all([there.initialize(), here.initialize()]);
  report([...(await measureExec()), ...(await measureWrite())]);
  await Promise.all([there.end(), here.end()]);
  report([...(await measureStart())]);
} finally {
  await connectHost({ stateDirectory }).stopHost();
  rmSync(directory, { recursive: true });
}

async function measureExec() {
  const times = scaled(150);
  const exec = async (client) => {
    const { output } = await client.call("exec_command", { cmd: "echo hi", login: false });
    mustHold(output === "hi\n", `echo hi printed ${JSON.stringify(output)}`);
  };
  const { ways, extraMs } = await bothWays("exec_command", times, exec);
  const paused = await bothWays("exec_command after a pause", scaled(40), exec, PAUSE_MS);
  const floor = [];
  for (let round = 0; round < 3; round += 1)
    floor.push((await runFloor("spawn", times, "/bin/bash", "-c", "echo hi")).p50);
  const aboveMs = median(ways.here) - median(floor);
  return [
    {
      figure: "exec_command echo hi over MCP in-process, p50",
      ours: showSpread(ways.here),
      floor: showSpread(floor),
      target: `C + ${EXEC_EXTRA_MS} ms (is + ${aboveMs.toFixed(2)})`,
      isMet: aboveMs <= EXEC_EXTRA_MS,
    },
    hopRow("exec_command echo hi over MCP through a host, p50", ways, { extraMs, mostMs: EXEC_HOP_MS }),
    hopRow(`the same ${PAUSE_MS} ms after the last one`, paused.ways, {
      extraMs: paused.extraMs,
      mostMs: EXEC_HOP_MS,
    }),
  ];
}

async function measureWrite() {
  const started = new Map();
  for (const client of [there, here]) {
    const { session_id } = await client.call("exec_command", { cmd: "python3 -q", login: false, until: ">>> " });
    started.set(client, session_id);
  }
  let number = 0;
  const { ways, extraMs } = await bothWays("write_stdin", scaled(250), async (client) => {
    number += 1;
    const { output, yielded } = await client.call("write_stdin", {
      session_id: started.get(client),
      chars: `1000000 + ${number}\n`,
    });
    mustHold(output.includes(String(1_000_000 + number)) && yielded === "input", `${yielded}: ${output}`);
  });
  return [
    {
      figure: "write_stdin of a line to Python over MCP in-process, p50",
      ours: showSpread(ways.here),
      target: `≤ ${WRITE_MS} ms`,
      isMet: median(ways.here) <= WRITE_MS,
    },
    hopRow("write_stdin of a line to Python over MCP through a host, p50", ways, { extraMs, mostMs: WRITE_HOP_MS }),
  ];
}

async function bothWays(name, times, act, pauseMs = 0) {
  return await inTurns({ name, rounds: 7, times, pauseMs, there: () => act(there), here: () => act(here) });
}

function hopRow(figure, ways, { extraMs, mostMs }) {
  return {
    figure,
    ours: showSpread(ways.there),
    floor: showSpread(ways.here),
    ratio: median(ways.there) / median(ways.here),
    target: `in-process + ${mostMs} ms (is ${showSpread(extraMs, "+ ")})`,
    isMet: median(extraMs) <= mostMs,
  };
}

/** Not the first start in this home: the servers above ran for seconds, and have left code that they had compiled. */
async function measureStart() {
  const rows = [];
  for (const [way, flags] of [
    // No host is needed before a tool is called.
    ["through a host", throughHost],
    ["in-process", inProcess],
  ]) {
    const found = await alternate({
      name: `start ${way}`,
      rounds: 15,
      ours: () => startServer(flags),
      floor: startNode,
      floorName: "node -e 0",
      show: (ms) => `${ms.toFixed(0)} ms`,
    });
    const ratio = median(found.ours.map((ms, round) => ms / found.floor[round]));
    rows.push({
      figure: `start of the server ${way} to tools/list`,
      ours: showSpread(found.ours),
      floor: showSpread(found.floor),
      ratio,
      target: `≤ ${START_RATIO} × node -e 0`,
      isMet: ratio <= START_RATIO,
    });
  }
  return rows;
}

async function startServer(flags) {
  const startedMs = performance.now();
  const server = new McpClient(flags);
  await server.initialize();
  await server.ask("tools/list", {});
  const tookMs = performance.now() - startedMs;
  await server.end();
  return tookMs;
}

async function startNode() {
  return await timed(() => once(spawn(process.execPath, ["-e", "0"]), "close"));
}
