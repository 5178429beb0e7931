/**
 * Programs that print and exit immediately: all output must be available when the exit is reported, with the right exit
 * code.
 */
import { crc32 } from "node:zlib";
import { openSession } from "../dist/entries/session.js";
import { floorProgram, runFloor } from "./floor.mjs";
import { mustHold, progress, report, scaled } from "./measure.mjs";

const CASES = [
  { figure: "5,000 bytes, then exit", times: scaled(5_000), bytes: 5_000, atOnce: 4 },
  { figure: "1 MB in flight, then exit", times: scaled(500), bytes: 1_000_000, atOnce: 2 },
];
const producer = floorProgram("producer");

/** Reads at the moment of the exit, because output that arrives later would hide a loss. */
async function runOnce(bytes) {
  const session = await openSession({ program: producer, args: ["raw", String(bytes)], journalBytes: 2 * 1024 * 1024 });
  const exit = await session.exited;
  let crc = 0;
  for (let from = 0; from < session.endCursor; ) {
    const page = await session.read({ from });
    crc = crc32(page.bytes, crc);
    from = page.next;
  }
  const found = { bytes: session.endCursor, crc, code: exit.code };
  await session.discard();
  return found;
}

for (const { figure, times, bytes, atOnce } of CASES) {
  const expected = await runFloor("producer", "raw", bytes, "expect");
  let lost = 0;
  let wrongCodes = 0;
  let started = 0;
  const startedMs = performance.now();
  const worker = async () => {
    while (started < times) {
      started += 1;
      if (started % Math.ceil(times / 5) === 0) progress(`${figure}: ${started}/${times}`);
      const found = await runOnce(bytes);
      if (found.bytes !== expected.bytes || found.crc !== expected.crc) lost += 1;
      if (found.code !== 7) wrongCodes += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const perSecond = Math.round((times * 1000) / (performance.now() - startedMs));
  report([
    {
      figure: `${times} × ${figure} with 7`,
      ours: `${lost} lost, ${wrongCodes} wrong codes (${perSecond}/s)`,
      target: "0 lost, 0 wrong",
      isMet: lost + wrongCodes === 0,
    },
  ]);
  mustHold(lost + wrongCodes === 0, `${figure}: ${lost} of ${times} lost bytes, ${wrongCodes} wrong codes`);
}
