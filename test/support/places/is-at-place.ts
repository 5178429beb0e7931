/** Whether tests run at a place, for tests that cannot, or do something else there. */
import { TestRunner } from "vitest";

const KEY = Symbol.for("limpet.test.place");

/** Whether the tests of this file run at a place. Known before the tests are imported. */
export function isAtPlace(): boolean {
  return KEY in globalThis;
}

export function skipAtPlace(why: string): never {
  TestRunner.getCurrentTest()?.context.skip(`not at a place: ${why}`);
  throw new Error(why);
}
