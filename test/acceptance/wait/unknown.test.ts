import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { expect, test } from "vitest";
import { testProgram } from "../../support/watching.ts";

const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/** Needs root to become somebody else, and a checkout that this somebody may read. */
function canBeNobody(): boolean {
  try {
    accessSync("/usr/bin/su", constants.X_OK);
    execFileSync("setpriv", [...NOBODY, "cat", testProgram("waits/watches-su.mjs")], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!canBeNobody())(
  "of another user's program only the terminal is known: without echo, behind a prompt and silent, it asks for a password",
  () => {
    const output = execFileSync("setpriv", [...NOBODY, process.execPath, testProgram("waits/watches-su.mjs")], {
      cwd: "/",
    });

    expect(JSON.parse(output.toString())).toEqual({
      prompt: "matched",
      state: "waiting",
      waitingFor: "password",
      evidence:
        "the kernel does not show what the foreground program waits in; the terminal is in line mode without echo",
      reason: "input",
      end: "exited",
    });
  },
);
