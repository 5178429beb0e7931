/** The tests of shells once more, in namespaces: a shell cannot tell. `npm run test:long` runs more of them. */
import { vi } from "vitest";
import { isLong } from "../../../support/sessions.ts";
import "../../shell/job-control.test.ts";
import "../../shell/jobs.test.ts";
import "../../shell/streaming.test.ts";

vi.hoisted(() => {
  (globalThis as Record<symbol, unknown>)[Symbol.for("limpet.test.sandbox")] = "bwrap";
});

// Without the tests of programs that a sandbox refuses: sudo, su and script.
if (isLong) {
  await import("../../shell/bash-zsh-settings.test.ts");
  await import("../../shell/framing.test.ts");
  await import("../../shell/changed-shell.test.ts");
  await import("../../shell/forged.test.ts");
  await import("../../shell/long-commands.test.ts");
  await import("../../shell/not-started.test.ts");
  await import("../../shell/programs.test.ts");
  await import("../../shell/prompt.test.ts");
  await import("../../shell/settings.test.ts");
}
