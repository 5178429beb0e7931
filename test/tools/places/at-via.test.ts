/** Tests of the tools once more, at a place that is reached over a command. */
import { vi } from "vitest";
import { runAt } from "../../support/places/place-under-test.ts";
import "../waiting.test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.place")] = "coming";
});
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

runAt("via");
