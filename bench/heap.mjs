/** How long one openSession call blocks the event loop, with and without a gigabyte in use: the two must not differ. */
import { openSession } from "../dist/entries/session.js";
import { alternate, median, mustHold, ratios, report, scaled } from "./measure.mjs";

const BYTES = 2 ** 30;
const TIMES = scaled(300);
/** The ratio that still counts as equal, because of other work on the machine. */
const TARGET = 1.15;

const KINDS = [
  {
    kind: "buffers",
    fill: () => Array.from({ length: 256 }, () => Buffer.alloc(BYTES / 256, 1)),
    used: () => process.memoryUsage().arrayBuffers,
  },
  {
    kind: "heap",
    // Small objects that the garbage collector has to trace: about 48 bytes each, including the array slot.
    fill: () => Array.from({ length: 1400 }, () => Array.from({ length: 2 ** 14 }, (_, i) => ({ i, text: "x" }))),
    used: () => process.memoryUsage().heapUsed,
  },
];

/** The synchronous part of the call, during which nothing else runs. */
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
  return median(took);
}

async function blockedMsWith({ kind, fill, used }) {
  const held = fill();
  mustHold(used() > 0.9 * BYTES, `only ${used()} bytes of ${kind} are in use`);
  const took = await blockedMs();
  held.length = 0;
  globalThis.gc?.();
  return took;
}

await blockedMs();
for (const kind of KINDS) {
  const found = await alternate({
    name: `1 GB of ${kind.kind}`,
    rounds: 5,
    ours: () => blockedMsWith(kind),
    floor: blockedMs,
    floorName: "without",
    show: (ms) => `${ms.toFixed(2)} ms`,
  });
  const ratio = median(ratios(found.ours, found.floor));
  report([
    {
      figure: `openSession blocks the loop, 1 GB of ${kind.kind}, p50`,
      ours: `${median(found.ours).toFixed(2)} ms`,
      floor: `${median(found.floor).toFixed(2)} ms without`,
      ratio,
      target: `≤ ${TARGET} ×`,
      isMet: ratio <= TARGET,
    },
  ]);
}
