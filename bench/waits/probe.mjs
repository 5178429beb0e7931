/** What one observation of a program costs: a part of `../waiting.mjs`. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { localTransport } from "../../dist/entries/transport.js";
import { median } from "../measure.mjs";

/** One observation, by program, compared with one read of a /proc file. */
export async function benchProbe(folder) {
  const file = timeCalls(() => readFileSync("/proc/self/stat", "latin1"));
  const programs = {
    sleep: ["sleep", "600"],
    cat: ["cat"],
    bash: ["bash", "--norc"],
    "bash with 20 jobs": ["bash", "-c", "for i in {1..20}; do sleep 600 & done; wait"],
    "Python REPL": ["python3", "-q"],
    "node REPL (11 threads)": ["node"],
  };
  const results = [];
  console.log(`one observation (one file of /proc: ${(file * 1_000).toFixed(0)} µs)`);
  for (const [name, [program, ...args]] of Object.entries(programs)) {
    const channel = await openChannel({ program, args, folder });
    await sleep(500);
    const value = timeCalls(() => channel.probe.observe()) * 1_000;
    console.log(
      `  ${name.padEnd(26)} ${value.toFixed(0).padStart(5)} µs, ${(value / file / 1_000).toFixed(1)} files' worth`,
    );
    // Each foreground process costs a few files, so that case is shown without a limit.
    if (!name.includes("jobs"))
      results.push({ name: `one observation of ${name}, p50`, value, limit: 200, unit: "µs" });
    await channel.close({ graceMs: 0 });
  }
  return results;
}

function openChannel({ program, args, folder }) {
  const env = { PATH: process.env.PATH, TERM: "xterm-256color", HOME: folder };
  return localTransport.open({
    program,
    args,
    cwd: folder,
    env,
    size: { cols: 80, rows: 24 },
    tty: true,
    onOutput() {},
  });
}

function timeCalls(call) {
  const times = [];
  for (let round = 0; round < 2_000; round += 1) {
    const startedMs = performance.now();
    call();
    times.push(performance.now() - startedMs);
  }
  return median(times);
}
