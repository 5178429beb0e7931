import { expect, test } from "vitest";
import { checkSandbox } from "./check-sandbox.ts";

const obstacle = { reason: "kernel.yama.ptrace_scope is 2", fix: "set it to 1" };

test.each([
  [0, undefined, "warn", /cannot be started/],
  [2, undefined, "warn", /cannot be started/],
  [
    3,
    undefined,
    "warn",
    /but a list of hosts is refused\. To fix this, use Linux 6\.7 .* Also, programs can signal others/,
  ],
  [4, undefined, "warn", /but programs can signal others/],
  [
    7,
    obstacle,
    "warn",
    /but a list of hosts is refused: kernel\.yama\.ptrace_scope is 2\. To fix this, set it to 1\.$/,
  ],
  [7, undefined, "ok", /^Sandboxes work\.$/],
])("version %i of Landlock with the obstacle %o is %s", (version, found, verdict, meaning) => {
  expect(checkSandbox({ version, obstacle: found })).toMatchObject({
    verdict,
    meaning: expect.stringMatching(meaning),
  });
});
