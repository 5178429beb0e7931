/**
 * What a sandbox costs, compared with the same sessions without one: from the call to the reported exit of a program,
 * and the memory of a thousand sessions, or of as many as the machine has terminals for.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession } from "../dist/entries/session.js";
import { localTransport, sandboxTransport } from "../dist/entries/transport.js";
import {
  alternate,
  median,
  mustHold,
  percentile,
  progress,
  ratios,
  report,
  residentBytes,
  scaled,
} from "./measure.mjs";

const MAX_RATIO = 1.3;
/** Sandboxes keep some terminals ready for their next sessions. */
const SPARE_TERMINALS = 16;
const times = scaled(400);
const project = mkdtempSync(join(tmpdir(), "limpet-bench-"));
const sandboxed = sandboxTransport({ files: "workspace", network: "off", project });

const kernel = (name) => Number(readFileSync(`/proc/sys/kernel/pty/${name}`, "utf8"));

async function spawns(transport) {
  const took = [];
  for (let i = 0; i < times; i += 1) {
    const startedMs = performance.now();
    const session = await openSession({ program: "/bin/true", cwd: project, transport });
    const exit = await session.exited;
    took.push(performance.now() - startedMs);
    mustHold(exit.kind === "code" && exit.code === 0, `/bin/true ended with ${JSON.stringify(exit)}`);
    await session.discard();
  }
  return { p50: median(took), p90: percentile(took, 90), mean: took.reduce((sum, ms) => sum + ms, 0) / took.length };
}

/** Bytes of this process for each open session, measured twice: the first time also loads code and grows the heap. */
async function memoryEach(transport, count) {
  let each = 0;
  for (let time = 0; time < 2; time += 1) {
    globalThis.gc?.();
    const before = residentBytes().all;
    const sessions = [];
    for (let i = 0; i < count; i += 1) sessions.push(await openSession({ program: "cat", cwd: project, transport }));
    await Promise.all(sessions.map((session) => session.write("hello\n")));
    for (const session of sessions) for await (const page of session.output()) if (page.next >= 14) break;
    globalThis.gc?.();
    each = (residentBytes().all - before) / count;
    progress(`${count} open: ${(each / 1000).toFixed(1)} KB each; closing`);
    await Promise.all(sessions.map((session) => session.close({ force: true })));
  }
  return each;
}

try {
  await spawns(sandboxed);
  await spawns(localTransport);
  const found = await alternate({
    name: "spawn",
    rounds: 7,
    ours: () => spawns(sandboxed),
    floor: () => spawns(localTransport),
    floorName: "without",
    show: ({ p50, p90 }) => `${p50.toFixed(2)} ms (p90 ${p90.toFixed(2)})`,
  });
  const rows = ["p50", "p90", "mean"].map((figure) => {
    const [inside, outside] = [found.ours, found.floor].map((runs) => runs.map((run) => run[figure]));
    const ratio = median(ratios(inside, outside));
    return {
      figure: `spawn → exit of /bin/true in a sandbox, ${figure}`,
      ours: `${median(inside).toFixed(2)} ms`,
      floor: `${median(outside).toFixed(2)} ms`,
      ratio,
      ...(figure === "p50" ? { target: `≤ ${MAX_RATIO} ×`, isMet: ratio <= MAX_RATIO } : {}),
    };
  });
  const count = Math.min(scaled(1_000), kernel("max") - kernel("nr") - SPARE_TERMINALS);
  const outside = await memoryEach(localTransport, count);
  const inside = await memoryEach(sandboxed, count);
  rows.push({
    figure: `${count} sandboxed sessions: our memory each`,
    ours: `${(inside / 1000).toFixed(1)} KB`,
    floor: `${(outside / 1000).toFixed(1)} KB`,
    ratio: inside / outside,
    target: `≤ ${MAX_RATIO} ×`,
    isMet: inside <= outside * MAX_RATIO,
  });
  report(rows);
} finally {
  rmSync(project, { recursive: true });
}
