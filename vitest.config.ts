import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Worker threads get no SIGCHLD: each test file needs a process of its own.
    pool: "forks",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // The full counts of `npm run test:long` take longer than the bounded ones.
    testTimeout: process.env["LIMPET_LONG"] ? 180_000 : 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 5_000,
    // A condition is waited for as long as a busy machine may take; one second is its idle guess.
    expect: { poll: { timeout: 20_000, interval: 10 } },
  },
});
