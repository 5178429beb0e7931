/** A thousand open sessions, each with a program that waits for input: the cost of each. */
import { readdirSync } from "node:fs";
import { openSession } from "../dist/entries/session.js";
import { runFloor } from "./floor.mjs";
import { progress, report, residentBytes, scaled } from "./measure.mjs";

const COUNT = scaled(1_000);
const MAX_KB = 100;
const MAX_FDS = 2;
const MIN_PER_SECOND = 300;

/** The first sessions load code and warm up the compiler: a cost per process, not per session. */
async function warmUp() {
  for (let i = 0; i < 50; i += 1) {
    const session = await openSession({ program: "cat" });
    await session.close({ force: true });
  }
}

function taken() {
  globalThis.gc?.();
  return { ...residentBytes(), fds: readdirSync("/proc/self/fd").length };
}

await warmUp();
// The process holds a few descriptors while it has any session.
const first = await openSession({ program: "cat" });
const before = taken();
const startedMs = performance.now();
const sessions = [];
for (let i = 0; i < COUNT; i += 1) sessions.push(await openSession({ program: "cat" }));
const perSecond = (COUNT * 1000) / (performance.now() - startedMs);
const floor = await runFloor("open", COUNT, "cat");
progress(`opened ${COUNT} at ${Math.round(perSecond)}/s, C at ${Math.round(floor.perSecond)}/s`);
// Each session proves that it is alive, and fills the first part of its journal.
await Promise.all(sessions.map((session) => session.write("hello\n")));
for (const session of sessions) for await (const page of session.output()) if (page.next >= 14) break;
const after = taken();
const kbEach = (after.all - before.all) / 1000 / COUNT;
const fdsEach = (after.fds - before.fds) / COUNT;
const threads = after.threads - before.threads;
progress(`${kbEach.toFixed(1)} KB each; closing`);
const closingMs = performance.now();
await Promise.all([first, ...sessions].map((session) => session.close({ force: true })));
progress(`closed in ${Math.round(performance.now() - closingMs)} ms`);

report([
  {
    figure: `${COUNT} sessions: our memory each`,
    ours: `${kbEach.toFixed(1)} KB`,
    target: `≤ ${MAX_KB} KB`,
    isMet: kbEach <= MAX_KB,
  },
  {
    figure: `${COUNT} sessions: descriptors each`,
    ours: fdsEach.toFixed(2),
    target: `≤ ${MAX_FDS}`,
    isMet: fdsEach <= MAX_FDS,
  },
  { figure: `${COUNT} sessions: threads added`, ours: String(threads), target: "0", isMet: threads === 0 },
  {
    figure: `${COUNT} sessions: opened per second`,
    ours: perSecond.toFixed(0),
    floor: floor.perSecond.toFixed(0),
    ratio: perSecond / floor.perSecond,
    target: `≥ ${MIN_PER_SECOND}`,
    isMet: perSecond >= MIN_PER_SECOND,
  },
]);
