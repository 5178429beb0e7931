/** Whether tests run at a place, for tests that cannot, or do something else there. */
import { constants } from "node:os";
import { TestRunner } from "vitest";
import type { Exit } from "../../../src/base/exit.ts";

const KEY = Symbol.for("limpet.test.place");
const TRANSPORT = Symbol.for("limpet.test.transport");
const ENGINE = Symbol.for("limpet.test.engine");

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
  return ENGINE in globalThis || (isAtPlace() && hasOwnSessions());
}

/** How a program ends that a signal has ended. A difference of that place: the engine reports a code, as a shell does. */
export function exitBy(signal: "SIGKILL" | "SIGTERM"): Exit {
  return isBehindEngine() ? { kind: "code", code: 128 + constants.signals[signal] } : { kind: "signal", signal };
}

/** A difference of a container whose programs run through its engine for lack of a Node inside. */
export function skipWithoutNode(): void {
  if (ENGINE in globalThis) skipAtPlace("it has no Node");
}

/**
 * A command that returns when its terminal has its size. A difference of docker before version 23: it sets the size a
 * moment after the start of the program.
 */
export function untilSized(): string {
  return isBehindEngine() ? 'until [ "$(stty size)" != "0 0" ]; do :; done' : ":";
}

export function skipAtPlace(why: string): never {
  TestRunner.getCurrentTest()?.context.skip(`not at a place: ${why}`);
  throw new Error(why);
}
