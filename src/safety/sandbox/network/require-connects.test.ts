import { expect, test } from "vitest";
import { connectObstacle } from "./require-connects.ts";

const facts = { scope: 0, isCapable: false, canTake: true };

test.each([
  [facts, undefined],
  [{ ...facts, scope: 1 }, undefined],
  [{ ...facts, scope: 2 }, "kernel.yama.ptrace_scope is 2"],
  [{ ...facts, scope: 2, isCapable: true }, undefined],
  [{ ...facts, scope: 3, isCapable: true }, "kernel.yama.ptrace_scope is 3"],
  [{ ...facts, canTake: false }, "the system call pidfd_getfd is refused here"],
])("with %o, a list of hosts is kept back by: %s", (given, reason) => {
  expect(connectObstacle(given)?.reason).toBe(reason);
});
