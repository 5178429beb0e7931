import { expect, test } from "vitest";
import { checkSandbox } from "./check-sandbox.ts";

test.each([
  [0, "warn", /cannot be started/],
  [2, "warn", /cannot be started/],
  [4, "warn", /can signal others/],
  [7, "ok", /^Sandboxes work\.$/],
])("version %i of Landlock is %s", (version, verdict, meaning) => {
  expect(checkSandbox(version)).toMatchObject({ verdict, meaning: expect.stringMatching(meaning) });
});
