/**
 * All tests of the tools at a place that the person names: `LIMPET_TEST_PLACE=docker:NAME npm run test:long`. The place
 * must have this directory at the same path. Without a place, `vitest.config.ts` leaves the file out.
 */
import { vi } from "vitest";
import { runAt } from "../../support/places/place-under-test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.place")] = "coming";
});
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

runAt(String(process.env["LIMPET_TEST_PLACE"]));
await import("../reading.test.ts");
await import("./suite.ts");
