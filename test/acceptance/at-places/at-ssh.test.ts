/** Tests of screens, waiting and shells once more, at a place behind a real sshd: some, and all in the long form. */
import { test, vi } from "vitest";
import { needs } from "../../support/needs.ts";
import { runAt } from "../../support/places/place-under-test.ts";
import { isLong } from "../../support/sessions.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.place")] = "coming";
});
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

if (needs("sshd", "ssh-keygen")) {
  runAt("ssh");
  await import("../screen/programs.test.ts");
  if (isLong) {
    await import("../wait/programs.test.ts");
    await import("../wait/full-screen.test.ts");
    await import("../wait/not-waiting.test.ts");
    await import("./shell-suite.ts");
  }
} else test.skip("screens, waiting and shells are the same behind ssh");
