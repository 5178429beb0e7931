/** All tests of the tools that can run anywhere, with `npm run test:long`, in a container of podman without Node. */
import { test, vi } from "vitest";
import { needs } from "../../support/needs.ts";
import { runAt } from "../../support/places/place-under-test.ts";
import { isLong } from "../../support/sessions.ts";

vi.hoisted(() => {
  for (const name of ["limpet.test.place", "limpet.test.engine"])
    (globalThis as Record<symbol, unknown>)[Symbol.for(name)] = "coming";
});
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

if (isLong && needs("podman", "busybox", "root", "cgroups")) {
  runAt("podman without Node");
  await import("../shells/half-line.test.ts");
  await import("../reading.test.ts");
  await import("./suite.ts");
} else test.skip("the tools work in a container of podman without Node");
