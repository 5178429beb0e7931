import { expect, test } from "vitest";
import { phaseOf } from "./lifetime.ts";

const exit = { kind: "code", code: 0 } as const;

test.each([
  { exit: undefined, isOutputEnded: false, isCloseAsked: false, phase: "running" },
  { exit: undefined, isOutputEnded: true, isCloseAsked: false, phase: "running" },
  { exit: undefined, isOutputEnded: false, isCloseAsked: true, phase: "closing" },
  { exit: undefined, isOutputEnded: true, isCloseAsked: true, phase: "closing" },
  { exit, isOutputEnded: false, isCloseAsked: false, phase: "exited" },
  { exit, isOutputEnded: false, isCloseAsked: true, phase: "closing" },
  { exit, isOutputEnded: true, isCloseAsked: false, phase: "ended" },
  { exit, isOutputEnded: true, isCloseAsked: true, phase: "ended" },
])("exit $exit, output ended $isOutputEnded, close asked $isCloseAsked is $phase", ({ phase, ...facts }) => {
  expect(phaseOf(facts)).toBe(phase);
});
