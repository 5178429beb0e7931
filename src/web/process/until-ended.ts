import { setTimeout as sleep } from "node:timers/promises";
import { HOST_STOP_MS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { findStateDirectory } from "../../host/state/state-directory.ts";
import { isLocked } from "../../linux/file-lock.ts";

const CHECK_EVERY_MS = 20;

/** Resolves when the web server that was asked to stop has ended. */
export async function untilEnded(stateDirectory: string): Promise<void> {
  const directory = findStateDirectory(stateDirectory);
  if (directory === undefined) return;
  directory.release();
  const deadlineMs = performance.now() + 2 * HOST_STOP_MS;
  while (isLocked(directory.file("web.lock"))) {
    if (performance.now() > deadlineMs)
      throw new LimpetError("WEB_RUNNING", "The web server did not stop. Find its process with: limpet web status");
    await sleep(CHECK_EVERY_MS);
  }
}
