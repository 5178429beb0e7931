import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Worker threads get no SIGCHLD: each test file needs a process of its own.
    pool: "forks",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 5_000,
    // A condition is waited for as long as a busy machine may take; one second is its idle guess.
    expect: { poll: { timeout: 20_000, interval: 10 } },
  },
});
