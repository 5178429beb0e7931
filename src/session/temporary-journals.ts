/**
 * A place on disk for the output of sessions that end with this process: their output stays readable beyond what memory
 * holds. It is removed with the last of them, or when this process ends.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endWithProcess, forget } from "../linux/end-with-process.ts";

export class TemporaryJournals {
  /** Created when the first output is written, for this user only. */
  readonly stateDirectory: string = join(tmpdir(), `limpet-journals-${randomUUID()}`);

  constructor() {
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
