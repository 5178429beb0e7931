/** A sandbox that may connect to some hosts only, once more in namespaces. */
import { vi } from "vitest";
import "../hosts.test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.sandbox")] = "bwrap";
});
