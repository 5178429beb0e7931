import { availableParallelism, totalmem } from "node:os";
import { defineConfig } from "vitest/config";
import { filesThatNeed } from "./test/support/own-process.ts";
import { TestOrder } from "./test/support/test-order.ts";

// By default, Vitest leaves one core unused: of two, half the machine.
const cores = availableParallelism();
/**
 * Tests with programs wait most of the time: two processes for each core leave a fifth of it unused. Each takes up to a
 * gigabyte, with what it starts.
 */
const waiting = Math.max(1, Math.min(3 * cores, Math.floor(totalmem() / 2 ** 30)));

/** What starts a program or opens a terminal: named so beside its source, or in a folder of `test/`. */
const programs = ["src/**/*.programs.test.ts", "test/**/*.test.ts"];
/** Only where a person names another place to test. */
const otherPlace = process.env["LIMPET_TEST_PLACE"] ? [] : ["test/tools/places/at-given.test.ts"];
const apart = filesThatNeed("own", ["src", "test"]);
const guarded = filesThatNeed("guarded", ["src", "test"]);
const unit = ["src/**/*.test.ts", "test/unit/**/*.test.ts"];

/** Tests with programs whose files follow each other in a few processes. */
const inSharedProcesses = {
  // Worker threads get no SIGCHLD.
  pool: "forks" as const,
  isolate: false,
  maxWorkers: waiting,
  globalSetup: ["test/support/own-home.ts"],
  setupFiles: ["test/support/undo-process.ts"],
  sequence: { groupOrder: 1 },
};

/** Where `npm test` keeps compiled modules: each project would compile its own otherwise. */
const moduleCache = process.env["LIMPET_MODULE_CACHE"];

export default defineConfig({
  test: {
    ...(moduleCache && { experimental: { fsModuleCache: true, fsModuleCachePath: moduleCache } }),
    // The full counts of `npm run test:long` take longer than the bounded ones.
    testTimeout: process.env["LIMPET_LONG"] ? 180_000 : 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    // A condition is waited for as long as a busy machine may take; one second is its idle guess.
    expect: { poll: { timeout: 20_000, interval: 25 } },
    sequence: { sequencer: TestOrder },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: unit,
          exclude: ["src/**/*.programs.test.ts"],
          pool: "threads",
          // These tests change nothing but what they made, so they share the modules that they load.
          isolate: false,
          maxWorkers: cores,
          setupFiles: ["test/support/no-programs.ts"],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "programs",
          include: programs,
          exclude: ["test/unit/**", "test/alone/**", ...apart, ...guarded, ...otherPlace],
          ...inSharedProcesses,
        },
      },
      {
        extends: true,
        test: {
          name: "guarded",
          include: guarded,
          exclude: ["test/unit/**", "test/alone/**"],
          ...inSharedProcesses,
        },
      },
      {
        extends: true,
        test: {
          name: "apart",
          include: apart,
          exclude: ["test/unit/**", "test/alone/**", ...otherPlace],
          pool: "forks",
          maxWorkers: waiting,
          globalSetup: ["test/support/own-home.ts"],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          // What other tests on the same machine would notice: one file at a time, after all others.
          include: ["test/alone/**/*.test.ts"],
          pool: "forks",
          maxWorkers: 1,
          globalSetup: ["test/support/own-home.ts"],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
