// Tests of a machine without zsh, for test/e2e/skip-without.test.ts. Their set-up fails there.
import { describe, test, vi } from "vitest";
import { skipWithout } from "../support/needs.ts";

vi.mock("../../scripts/tests/missing-needs.mjs", () => ({ missingNeeds: () => ["zsh"] }));

function fail() {
  throw new Error("zsh is missing.");
}

describe("with zsh", () => {
  const { setUp, tearDown } = skipWithout("zsh");
  setUp(fail);
  tearDown(fail);

  test("runs zsh", fail);
});

describe("without zsh", () => {
  const { setUp, tearDown } = skipWithout("bash");
  const steps = [];
  setUp(() => steps.push("set up"));
  tearDown(() => {
    if (steps.join() !== "set up,tested") fail();
  });

  test("runs bash", () => {
    if (steps.join() !== "set up") fail();
    steps.push("tested");
  });
});
