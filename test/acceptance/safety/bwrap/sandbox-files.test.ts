/** Which files a program in a sandbox can read and change, once more in namespaces. */
import { vi } from "vitest";
import "../sandbox-files.test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.sandbox")] = "bwrap";
});
