/** Spawn to exit of /bin/true, from the call to the reported exit. */
import { openSession } from "../dist/entries/session.js";
import { runFloor } from "./floor.mjs";
import { alternate, median, mustHold, percentile, ratios, report, scaled } from "./measure.mjs";

const TARGET = 1.6;
const times = scaled(400);

async function ours() {
  const took = [];
  for (let i = 0; i < times; i += 1) {
    const startedMs = performance.now();
    const session = await openSession({ program: "/bin/true" });
    const exit = await session.exited;
    took.push(performance.now() - startedMs);
    mustHold(exit.kind === "code" && exit.code === 0, `/bin/true ended with ${JSON.stringify(exit)}`);
    await session.discard();
  }
  return { p50: median(took), p90: percentile(took, 90) };
}

await ours();
const found = await alternate({
  name: "spawn",
  rounds: 7,
  ours,
  floor: () => runFloor("spawn", times, "/bin/true"),
  show: ({ p50 }) => `${p50.toFixed(2)} ms`,
});
const [mine, theirs] = [found.ours, found.floor].map((runs) => runs.map(({ p50 }) => p50));
const ratio = median(ratios(mine, theirs));
report([
  {
    figure: "spawn → exit of /bin/true, p50",
    ours: `${median(mine).toFixed(2)} ms`,
    floor: `${median(theirs).toFixed(2)} ms`,
    ratio,
    target: `≤ ${TARGET} ×`,
    isMet: ratio <= TARGET,
  },
]);
