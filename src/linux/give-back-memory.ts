import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { lazy } from "../base/async/lazy.ts";
import { libc } from "./libc.ts";

/**
 * Collects garbage, and returns free memory of malloc to the kernel. Takes some milliseconds, and longer with a larger
 * heap.
 */
export function giveBackMemory(): void {
  collect()();
  libc.mallocTrim?.(0);
}

/** The function exists in Node, but is exposed only with a flag. */
const collect = lazy((): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
});
