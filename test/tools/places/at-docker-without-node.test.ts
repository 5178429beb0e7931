/** Tests of the tools once more, in a container without Node: a host on this machine runs the programs there. */
import { test, vi } from "vitest";
import { needs } from "../../support/needs.ts";
import { runAt } from "../../support/places/place-under-test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.place")] = "coming";
});
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

if (needs("dockerd", "busybox", "root", "cgroups")) {
  runAt("docker without Node");
  await import("../reading.test.ts");
} else test.skip("the tools work in a container without Node");
