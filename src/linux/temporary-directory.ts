/**
 * A directory for temporary files, such as the output of sessions that end with this process. It is removed when this
 * process ends. If this process is killed, the next one that makes a directory of the same kind removes it.
 */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endWithProcess, forget } from "./end-with-process.ts";

export class TemporaryDirectory {
  /** The first writer creates the directory, with access only for this user. */
  readonly path: string;

  /** `kind`: a part of the name, for people who inspect it. */
  constructor(kind: string) {
    const prefix = `limpet-${kind}-`;
    removeStale(prefix);
    this.path = join(tmpdir(), `${prefix}${process.pid}-${randomUUID()}`);
    endWithProcess(this);
  }

  remove(): void {
    forget(this);
    this.killNow();
  }

  /** Removes the directory synchronously, for the end of this process. */
  killNow(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Removes the directories of processes that were killed. Those of other users stay. */
function removeStale(prefix: string): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(prefix))) {
    const [pid = ""] = name.slice(prefix.length).split("-");
    if (existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Not ours.
    }
  }
}
