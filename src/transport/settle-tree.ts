/** Releases what a program holds that nobody closes, once it and all that it started have ended. */
import { setTimeout as sleep } from "node:timers/promises";
import { forget } from "../linux/end-with-process.ts";
import type { ProcessTree } from "../linux/process-tree.ts";

/** After its program's exit the tree is listed again this soon, then ever less often, until nothing of it is left. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/** `over`: the program has ended, and its output too. */
export async function settleTree(tree: ProcessTree, over: Promise<unknown>): Promise<void> {
  await over;
  // Without control groups, many short programs share one list of all processes.
  if (!tree.isContained) await sleep(FIRST_PAUSE_MS, undefined, { ref: false });
  for (let pauseMs = FIRST_PAUSE_MS; !tree.isOver; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    // A list can fail for want of descriptors; the next may not.
    const left = await tree.list().catch(() => undefined);
    if (left?.length !== 0) await sleep(pauseMs, undefined, { ref: false });
  }
  forget(tree);
  await tree.release();
}
