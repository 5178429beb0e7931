/** How long one openSession call holds the loop up, with a gigabyte in use and without: it must not depend on that. */
import { openSession } from "../dist/index.js";
import { median, percentile, progress, report, scaled } from "./measure.mjs";

const BYTES = 2 ** 30;
const TIMES = scaled(400);
/** Noise: with nothing changed, two runs differ by as much. */
const TARGET = 1.15;

/** The synchronous part of the call: while it runs, nothing else does. */
async function blockedMs() {
  const took = [];
  for (let i = 0; i < TIMES; i += 1) {
    const startedMs = performance.now();
    const opening = openSession({ program: "/bin/true" });
    took.push(performance.now() - startedMs);
    const session = await opening;
    await session.exited;
    await session.discard();
  }
  return took;
}

function fill(kind) {
  if (kind === "buffers") return Array.from({ length: 256 }, () => Buffer.alloc(BYTES / 256, 1));
  // Live heap: small objects that the collector has to follow.
  return Array.from({ length: BYTES / 2 ** 20 }, () => Array.from({ length: 2 ** 14 }, (_, i) => ({ i, text: "x" })));
}

await blockedMs();
const plain = [];
const results = { buffers: [], heap: [] };
for (const kind of ["buffers", "heap", "buffers", "heap"]) {
  plain.push(median(await blockedMs()));
  const held = fill(kind);
  const used = kind === "heap" ? process.memoryUsage().heapUsed : process.memoryUsage().arrayBuffers;
  const took = await blockedMs();
  results[kind].push({ p50: median(took), p99: percentile(took, 99) });
  progress(
    `${kind} ${(used / BYTES).toFixed(2)} GB: p50 ${median(took).toFixed(2)} ms, without ${plain.at(-1).toFixed(2)} ms`,
  );
  held.length = 0;
  globalThis.gc?.();
}
report(
  Object.entries(results).map(([kind, runs]) => {
    const without = median(plain);
    const ratio = median(runs.map(({ p50 }) => p50)) / without;
    return {
      figure: `openSession blocks the loop, 1 GB of ${kind}, p50`,
      ours: `${(ratio * without).toFixed(2)} ms`,
      floor: `${without.toFixed(2)} ms without`,
      ratio,
      target: `≤ ${TARGET} ×`,
      isMet: ratio <= TARGET,
    };
  }),
);
