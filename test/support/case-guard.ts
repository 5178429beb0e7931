/**
 * Checks after every hostile case: the event loop was never blocked, another session still echoes, and descriptors,
 * terminals, children, control groups and memory are as before.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openSession, type Session } from "../../src/entries/session.ts";
import { endBoxes } from "../../src/safety/sandbox/enter-box.ts";
import { LoopWatch } from "./measure/loop-watch.ts";
import { isAtPlace } from "./places/is-at-place.ts";
import { outputHas, until } from "./sessions.ts";
import { suiteSandbox } from "./suite-sandbox.ts";

/**
 * A slow disk may take a moment, and the kernel may take one to move a process between control groups. A loop that
 * waits for a program blocks for longer than this.
 */
const MAX_HELD_UP_MS = 5_000;
const MAX_MEMORY_GROWTH_BYTES = 64 * 1024 * 1024;
/** What garbage may add to the memory before a case. */
const COLLECT_AFTER_BYTES = 8 * 1024 * 1024;
/** Another process reaps orphans, which may take a while. */
const SETTLE_MS = 20_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let isGuarding = false;

/** Call at the top of a test file. One that runs the tests of others is guarded once; at a place, links come and go. */
export function guardEveryCase(): void {
  if (isGuarding || isAtPlace()) return;
  isGuarding = true;
  const loop = new LoopWatch();
  let witness: Session;
  let before: Holdings;
  let memoryBefore = 0;
  let collectedAt = 0;
  let echoes = 0;
  let restingGroups = 0;

  beforeAll(async () => {
    witness = await openSession({ program: "cat", name: "witness" });
    await openSession({ program: "true" }).then((session) => session.close());
    // An ordinary user cannot create control groups, unless somebody has delegated a directory.
    restingGroups = ownRoots().length > 0 ? 2 : 0;
  });

  afterAll(async () => {
    isGuarding = false;
    await witness.close();
    await until(() => ownRoots().length === 0, "the directory of control groups is given back");
  });

  beforeEach(async () => {
    if (suiteSandbox()) endBoxes();
    const isResting = () => holdings().groups === restingGroups;
    await until(isResting, "only the witness has a control group, and one is ready for the next");
    // Collecting takes longer than most cases do.
    if (process.memoryUsage().rss > collectedAt + COLLECT_AFTER_BYTES) {
      collectGarbage();
      collectedAt = process.memoryUsage().rss;
    }
    memoryBefore = process.memoryUsage().rss;
    before = holdings();
    loop.start();
  });

  afterEach(async () => {
    expect(loop.stop(), "milliseconds for which the event loop was held up").toBeLessThan(MAX_HELD_UP_MS);

    echoes += 1;
    const text = `echo ${echoes}`;
    await witness.write(`${text}\n`);
    // Once as the terminal's echo, once from cat itself.
    await outputHas(witness, `${text}\r\n${text}\r\n`);

    if (suiteSandbox()) endBoxes();
    await until(
      () => isBack(holdings(), before),
      () => `${JSON.stringify(holdings())} is back at ${JSON.stringify(before)}`,
      SETTLE_MS,
    );
    const isMemoryBack = () => process.memoryUsage().rss < memoryBefore + MAX_MEMORY_GROWTH_BYTES;
    await until(
      () => {
        if (isMemoryBack()) return true;
        collectGarbage();
        return isMemoryBack();
      },
      "memory is back",
      SETTLE_MS,
    );
  });
}

/** The kernel resources that this process uses. */
export interface Holdings {
  readonly descriptors: number;
  readonly terminals: number;
  readonly children: number;
  readonly groups: number;
}

export function holdings(): Holdings {
  const targets = readdirSync("/proc/self/fd").map(descriptorTarget);
  return {
    // The directory that is being read has one itself.
    descriptors: targets.length - 1,
    terminals: targets.filter((target) => target.startsWith("/dev/pt")).length,
    children: readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean).length,
    groups: ownGroups().length,
  };
}

function isBack(now: Holdings, before: Holdings): boolean {
  return (Object.keys(before) as (keyof Holdings)[]).every((key) => now[key] <= before[key]);
}

function descriptorTarget(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}

/** The control groups of this process' sessions, on a version 2 or a hybrid layout. */
function ownGroups(): string[] {
  return ownRoots().flatMap((root) => readDirectories(root));
}

function ownRoots(): string[] {
  return groupRoots().filter((root) => root.includes(`-${process.pid}-`));
}

/** The directories of all processes that have sessions in control groups beside ours. */
export function groupRoots(): string[] {
  const mount = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(readFileSync("/proc/self/mountinfo", "utf8"))?.[1];
  const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
  if (mount === undefined || own === undefined) return [];
  return readDirectories(`${mount}${own}`).filter((path) => path.includes("/limpet1-"));
}

function readDirectories(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries.map((entry) => `${path}/${entry.name}`);
  } catch {
    return [];
  }
}
