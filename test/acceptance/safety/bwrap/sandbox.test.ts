/** What a program in a sandbox can do to other processes and over the network, once more in namespaces. */
import { vi } from "vitest";
import "../sandbox.test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.sandbox")] = "bwrap";
});
