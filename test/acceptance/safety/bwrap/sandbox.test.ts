/** What a program in a sandbox can and cannot do, once more in namespaces. */
import { vi } from "vitest";
import "../sandbox.test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.sandbox")] = "bwrap";
});
