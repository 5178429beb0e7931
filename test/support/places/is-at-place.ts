/** Whether tests run at a place, for tests that cannot, or do something else there. */
import { TestRunner } from "vitest";
import type { Exit } from "../../../src/base/exit.ts";

const KEY = Symbol.for("limpet.test.place");
const TRANSPORT = Symbol.for("limpet.test.transport");

/** Whether the tests of this file run at a place. Known before the tests are imported. */
export function isAtPlace(): boolean {
  return KEY in globalThis;
}

/** Whether the sessions of this file are objects of this process: here, or in a container without a host. */
export function hasOwnSessions(): boolean {
  return !isAtPlace() || TRANSPORT in globalThis;
}

/** Whether the programs of this file run in a container, through its engine: that reports their exit codes. */
export function isBehindEngine(): boolean {
  return isAtPlace() && hasOwnSessions();
}

/** How a program ends that was killed. A difference of that place: the engine reports a code, as a shell does. */
export function exitOfKilled(): Exit {
  return isBehindEngine() ? { kind: "code", code: 137 } : { kind: "signal", signal: "SIGKILL" };
}

export function skipAtPlace(why: string): never {
  TestRunner.getCurrentTest()?.context.skip(`not at a place: ${why}`);
  throw new Error(why);
}
