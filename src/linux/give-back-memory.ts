import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { lazy } from "../base/async/lazy.ts";
import { libc } from "./libc.ts";

/** Collects garbage, and returns what malloc keeps. Takes some milliseconds, more with more that is in use. */
export function giveBackMemory(): void {
  collect()();
  libc.mallocTrim?.(0);
}

/** Node has it, but shows it only with a flag. */
const collect = lazy((): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
});
