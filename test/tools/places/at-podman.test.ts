/** All tests of the tools that can run anywhere once more, in a container of podman with Node, with `npm run test:long`. */
import { test, vi } from "vitest";
import { needs } from "../../support/needs.ts";
import { runAt } from "../../support/places/place-under-test.ts";
import { isLong } from "../../support/sessions.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.place")] = "coming";
});
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

if (isLong && needs("podman", "busybox", "root", "cgroups")) {
  runAt("podman");
  await import("../shells/half-line.test.ts");
  await import("../reading.test.ts");
  await import("./suite.ts");
} else test.skip("the tools work in a container of podman with Node");
