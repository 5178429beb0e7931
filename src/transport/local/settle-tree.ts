/** Releases a program's resources once it and all processes it started have ended, even if it is never closed. */
import { setTimeout as sleep } from "node:timers/promises";
import { forget } from "../../linux/end-with-process.ts";
import type { ProcessTree } from "../../linux/processes/process-tree.ts";

/** After the exit, the tree is first listed again after this pause, then at growing intervals, until it is empty. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/** `over` resolves when the program and its output have ended. */
export async function settleTree(tree: ProcessTree, over: Promise<unknown>): Promise<void> {
  await over;
  // Without control groups, many short programs share one scan of all processes.
  if (!tree.isContained) await sleep(FIRST_PAUSE_MS, undefined, { ref: false });
  for (let pauseMs = FIRST_PAUSE_MS; !tree.isOver; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    // Listing can fail for lack of descriptors; the next attempt may succeed.
    const left = await tree.list().catch(() => undefined);
    if (left?.length !== 0) await sleep(pauseMs, undefined, { ref: false });
  }
  forget(tree);
  await tree.release();
}
