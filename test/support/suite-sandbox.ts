/** A file that runs the tests of other files in a sandbox says so with `vi.hoisted`, before it imports them. */
import type { SandboxKeeper } from "../../src/base/sandbox-request.ts";

const KEEPER = Symbol.for("limpet.test.sandbox");

/** What enforces the sandbox of the tests of this file; undefined: they run without one. */
export function suiteSandbox(): SandboxKeeper | undefined {
  return (globalThis as Record<symbol, unknown>)[KEEPER] as SandboxKeeper | undefined;
}
