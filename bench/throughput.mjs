/**
 * A flood, read by one subscriber that computes a checksum of all bytes, as the C reader does. Also the effect on the
 * rest of this process: event loop delay and memory.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { crc32 } from "node:zlib";
import { openSession } from "../dist/entries/session.js";
import { floorProgram, runFloor } from "./floor.mjs";
import { alternate, median, mustHold, progress, ratios, report, residentBytes, scaled } from "./measure.mjs";

const BYTES = scaled(500_000_000);
const TARGET = 0.9;
const MAX_DELAY_MS = 20;
const MAX_RSS_MB = 32;
/** The monitor's timer fires once per this many milliseconds; only what exceeds that is delay. */
const RESOLUTION_MS = 1;
const SAMPLE_EVERY_MS = 20;

const producer = floorProgram("producer");

async function ours(kind, bytes = BYTES) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const before = residentBytes().all;
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, residentBytes().all);
  }, SAMPLE_EVERY_MS);
  delay.enable();
  const startedMs = performance.now();
  const session = await openSession({ program: producer, args: [kind, String(bytes)] });
  let crc = 0;
  let dropped = 0;
  for await (const page of session.output()) {
    crc = crc32(page.bytes, crc);
    dropped += page.dropped;
  }
  const exit = await session.ended;
  const seconds = (performance.now() - startedMs) / 1000;
  delay.disable();
  clearInterval(sampler);
  const delayMs = delay.percentile(99) / 1e6 - RESOLUTION_MS;
  const found = { bytes: session.endCursor, crc, seconds, code: exit.code ?? exit.signal, dropped };
  await session.discard();
  return { ...found, delayMs, rssMb: (most - before) / 2 ** 20 };
}

function check(run, expected) {
  mustHold(run.code === 7, `the producer ended with ${run.code} instead of 7, after ${run.bytes} bytes`);
  mustHold(!run.dropped, `${run.dropped} bytes were dropped before the subscriber read them`);
  mustHold(run.bytes === expected.bytes, `${run.bytes} bytes instead of ${expected.bytes}`);
  mustHold(run.crc === expected.crc, "the checksum differs: bytes were changed or lost");
  return run;
}

for (const kind of ["lines", "raw"]) {
  progress(`${kind}: ${BYTES / 1e6} MB`);
  const expected = await runFloor("producer", kind, BYTES, "expect");
  await ours(kind, Math.min(BYTES, 20_000_000));
  const found = await alternate({
    name: kind,
    rounds: 3,
    ours: async () => check(await ours(kind), expected),
    floor: async () => check(await runFloor("reader", producer, kind, BYTES), expected),
    show: (run) => `${mbPerSecond(run).toFixed(1)} MB/s`,
  });
  const [mine, theirs] = [found.ours, found.floor].map((runs) => runs.map(mbPerSecond));
  const ratio = median(ratios(mine, theirs));
  const delayMs = Math.max(...found.ours.map((run) => run.delayMs));
  const rssMb = Math.max(...found.ours.map((run) => run.rssMb));
  report([
    {
      figure: `${kind}: throughput, no byte lost`,
      ours: `${median(mine).toFixed(1)} MB/s`,
      floor: `${median(theirs).toFixed(1)} MB/s`,
      ratio,
      target: `≥ ${TARGET} ×`,
      isMet: ratio >= TARGET,
    },
    {
      figure: `${kind}: event-loop delay, p99`,
      ours: `${delayMs.toFixed(1)} ms`,
      target: `≤ ${MAX_DELAY_MS} ms`,
      isMet: delayMs <= MAX_DELAY_MS,
    },
    {
      figure: `${kind}: resident memory added`,
      ours: `${rssMb.toFixed(1)} MB`,
      target: `≤ ${MAX_RSS_MB} MB`,
      isMet: rssMb <= MAX_RSS_MB,
    },
  ]);
}

function mbPerSecond({ bytes, seconds }) {
  return bytes / 1e6 / seconds;
}
