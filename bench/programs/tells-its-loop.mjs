// Loaded before a host: on SIGUSR2 it writes how late its event loop was since the last time, to loop.json beside its state directory.
import { renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const state = process.argv[process.argv.indexOf("--state") + 1];
const file = state && join(dirname(state), "loop.json");
delay.enable();
process.on("SIGUSR2", () => {
  const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  const told = { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) };
  delay.reset();
  if (!file) return;
  // Renamed when complete, so that a reader never sees a part of the file.
  writeFileSync(`${file}.new`, JSON.stringify({ ...told, cpuMs: process.cpuUsage().user / 1e3 }));
  renameSync(`${file}.new`, file);
});
