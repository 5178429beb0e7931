/**
 * What tests need from the system: programs of `needs.json`, root, control groups, and Landlock. Where it is missing,
 * they are skipped, and `npm test` reports how many, and what is missing. If CI is true, nothing may be skipped: then
 * it throws.
 */
import { spawnSync } from "node:child_process";
import { accessSync, appendFileSync, constants } from "node:fs";
import { afterAll, beforeAll, beforeEach, type TestContext, TestRunner } from "vitest";
// @ts-expect-error A script without types.
import { missingNeeds } from "../../scripts/tests/missing-needs.mjs";
import { ownGroupPath } from "../../src/linux/cgroup.ts";
import { landlockVersion } from "../../src/linux/restrict/landlock.ts";
import { memoryGroups } from "./measure/memory-group.ts";
import table from "./needs.json" with { type: "json" };

export type Need = keyof typeof table | "cgroups" | "landlock" | "memory-groups" | "root";

const { CI, LIMPET_LACKS } = process.env;
const missing: ReadonlySet<Need> = new Set(missingNeeds());
let canMount: boolean | undefined;

/** Whether all of it is there, as `test.skipIf(!needs("zsh"))`. */
export function needs(...all: readonly Need[]): boolean {
  const lacking = all.filter((need) => !isThere(need));
  if (lacking.length === 0) return true;
  if (CI === "true")
    throw new Error(`CI is true, and this is missing: ${lacking.join(", ")}. Install it, or run as root.`);
  // scripts/tests/run-vitest.mjs reads it.
  if (LIMPET_LACKS !== undefined) appendFileSync(LIMPET_LACKS, `${lacking.join("\n")}\n`);
  return false;
}

function isThere(need: Need): boolean {
  if (need === "root") return isRoot();
  if (need === "memory-groups") return memoryGroups() !== undefined;
  if (need === "landlock") return landlockVersion() >= 3;
  return need === "cgroups" ? canGroup() : !missing.has(need);
}

/** A control group per session: for root, and for users who were given a place for them. */
function canGroup(): boolean {
  try {
    accessSync(ownGroupPath() ?? "", constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Root of a container may lack what makes it root, such as the right to mount. */
function isRoot(): boolean {
  canMount ??= process.getuid?.() === 0 && spawnSync("unshare", ["-m", "true"]).status === 0;
  return canMount;
}

/** In a test, or in a helper that starts programs: skips the test. What `needs.json` does not list is there. */
export function skipTestWithout(...programs: readonly string[]): void {
  const listed = programs.filter((program): program is Need => program in table);
  if (!needs(...listed)) TestRunner.getCurrentTest()?.context.skip(`missing: ${listed.join(" or ")}`);
}

type Hook = (work: () => unknown, timeoutMs?: number) => void;

/** `beforeAll` and `afterAll` of tests that may be skipped. They do nothing then: the set-up needs what is missing. */
interface SkippedHooks {
  readonly setUp: Hook;
  readonly tearDown: Hook;
}

/** For a whole file, or a whole `describe`: call it once in there. */
export function skipWithout(...all: readonly Need[]): SkippedHooks {
  const isThere = needs(...all);
  beforeEach((context: TestContext) => context.skip(!isThere, `missing: ${all.join(" or ")}`));
  return {
    setUp(work, timeoutMs) {
      if (isThere) beforeAll(async () => void (await work()), timeoutMs);
    },
    tearDown(work, timeoutMs) {
      if (isThere) afterAll(async () => void (await work()), timeoutMs);
    },
  };
}
