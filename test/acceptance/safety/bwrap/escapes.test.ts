/** What a hostile program tries, once more in namespaces. */
import { vi } from "vitest";
import "../escapes.test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.sandbox")] = "bwrap";
});
