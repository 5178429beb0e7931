/**
 * Tests of screens, waiting and shells once more, in a container of podman whose programs this process runs through its
 * engine, with `npm run test:long`.
 */
import { test, vi } from "vitest";
import { needs } from "../../support/needs.ts";
import { runAt } from "../../support/places/place-under-test.ts";
import { isLong } from "../../support/sessions.ts";

vi.hoisted(() => {
  for (const name of ["limpet.test.place", "limpet.test.transport"])
    (globalThis as Record<symbol, unknown>)[Symbol.for(name)] = "coming";
});
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

if (isLong && needs("podman", "busybox", "root", "cgroups")) {
  runAt("podman");
  await import("./engine-suite.ts");
} else test.skip("screens, waiting and shells are the same in a container of podman without a host");
