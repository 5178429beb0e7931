/** Connections with a list of hosts, once more in namespaces. */
import { vi } from "vitest";
import "../connects.test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.sandbox")] = "bwrap";
});
