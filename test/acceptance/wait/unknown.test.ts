import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { expect, test } from "vitest";
import { testProgram } from "../../support/watching.ts";

const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/** Needs root to become somebody else, and a checkout that this somebody may read. */
function canBeNobody(): boolean {
  try {
    accessSync("/usr/bin/su", constants.X_OK);
    execFileSync("setpriv", [...NOBODY, "cat", testProgram("watches-su.mjs")], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!canBeNobody())(
  "what another user's program waits for is unknown, never guessed; everything else is reported",
  () => {
    const output = execFileSync("setpriv", [...NOBODY, process.execPath, testProgram("watches-su.mjs")], { cwd: "/" });

    expect(JSON.parse(output.toString())).toEqual({
      prompt: "matched",
      state: "running",
      waitingFor: "unknown",
      evidence: "the kernel does not show what the foreground program waits in",
      reason: "deadline",
      end: "exited",
    });
  },
);
