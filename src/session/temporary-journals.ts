/**
 * A place on disk for the output of sessions that end with this process: their output stays readable beyond what memory
 * holds. It is removed with the last of them, or when this process ends.
 */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endWithProcess, forget } from "../linux/end-with-process.ts";

const PREFIX = "limpet-journals-";

/** Removes what processes left that were killed. Another user's directory stays. */
function removeStale(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const [pid = ""] = name.slice(PREFIX.length).split("-");
    if (existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Not ours.
    }
  }
}

export class TemporaryJournals {
  /** Created when the first output is written, for this user only. */
  readonly stateDirectory: string = join(tmpdir(), `${PREFIX}${process.pid}-${randomUUID()}`);

  constructor() {
    removeStale();
    endWithProcess(this);
  }

  /** Call when its sessions are closed. */
  remove(): void {
    forget(this);
    this.killNow();
  }

  /** For the end of this process. */
  killNow(): void {
    rmSync(this.stateDirectory, { recursive: true, force: true });
  }
}
