/** The tests of the tools once more, with every session in a host: a tool cannot tell. */
import { vi } from "vitest";
import "./answer-queries.test.ts";
import "./callers.test.ts";
import "./profiles/codex-profile.test.ts";
import "./hostile.test.ts";
import "./leftovers.test.ts";
import "./reading.test.ts";
import "./results.test.ts";
import "./reuse.test.ts";
import "./texts.test.ts";
import "./typing.test.ts";
import "./waiting.test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.throughHost")] = true;
});
