/** Gives free what a program that nobody closes had taken: when its end and that of all it started has come. */
import { setTimeout as sleep } from "node:timers/promises";
import { forget } from "../linux/end-with-process.ts";
import type { ProcessTree } from "../linux/process-tree.ts";

/** After its program's exit a session is looked at again this soon, then ever less often, until nothing of it is left. */
const FIRST_LOOK_MS = 200;
const SLOWEST_LOOK_MS = 10_000;

/** `over`: the program has ended, and its output too. */
export async function settleTree(tree: ProcessTree, over: Promise<unknown>): Promise<void> {
  await over;
  // Without control groups, many short programs share one look at all processes.
  if (!tree.isContained) await sleep(FIRST_LOOK_MS, undefined, { ref: false });
  for (let pauseMs = FIRST_LOOK_MS; !tree.isOver; pauseMs = Math.min(2 * pauseMs, SLOWEST_LOOK_MS)) {
    // A look can fail for want of descriptors; the next may not.
    const left = await tree.list().catch(() => undefined);
    if (left?.length !== 0) await sleep(pauseMs, undefined, { ref: false });
  }
  forget(tree);
  await tree.release();
}
