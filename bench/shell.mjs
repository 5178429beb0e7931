// How quick a command in a shell that stays is, beside a new `bash -c` each time; and what framing costs in a flood.
import { spawnSync } from "node:child_process";
import { openSession, openShell } from "../dist/index.js";

const COMMANDS = Number(process.argv[2] ?? 1000);
const FLOOD = "head -c 60000000 /dev/zero | tr '\\0' x | fold -w 79";

for (const shell of ["bash", "dash", "zsh", "busybox"]) {
  const times = [];
  const opened = await openShell({ shell });
  const startedMs = performance.now();
  for (let i = 0; i < COMMANDS; i++) {
    const at = performance.now();
    await opened.run("true");
    times.push(performance.now() - at);
  }
  const totalMs = performance.now() - startedMs;
  await opened.close();
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.floor(times.length * part)].toFixed(2);
  console.log(
    `run("true") in ${shell.padEnd(8)} p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   ${COMMANDS} take ${totalMs.toFixed(0)} ms`,
  );
}

const bashMs = time(() => {
  for (let i = 0; i < COMMANDS; i++) spawnSync("bash", ["-c", "true"]);
});
console.log(`${COMMANDS} times bash -c true take ${bashMs.toFixed(0)} ms`);

const plain = [];
const framed = [];
for (let i = 0; i < 5; i++) {
  plain.push(await timeAsync(floodPlain));
  framed.push(await timeAsync(floodFramed));
}
const ratio = Math.min(...framed) / Math.min(...plain);
console.log(
  `flood of 60 MB: plain ${Math.min(...plain).toFixed(0)} ms, framed ${Math.min(...framed).toFixed(0)} ms, ${ratio.toFixed(3)} x`,
);

async function floodPlain() {
  const session = await openSession({ command: FLOOD, shell: "bash" });
  await session.exited;
  await session.discard();
}

async function floodFramed() {
  const shell = await openShell({ shell: "bash" });
  await shell.run(FLOOD, { maxOutputTokens: 100 });
  await shell.close();
}

function time(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function timeAsync(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
