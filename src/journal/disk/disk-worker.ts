/** The thread of a `DiskThread`: carries out jobs in their order, and answers each. */
import { parentPort } from "node:worker_threads";
import type { DiskJob } from "./disk.ts";
import { runDiskJob } from "./run-disk-job.ts";

export interface NumberedJob {
  readonly number: number;
  readonly job: DiskJob;
}

export interface DiskAnswer {
  readonly number: number;
  /** Null if it was carried out. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

parentPort?.on("message", ({ number, job }: NumberedJob) => {
  parentPort?.postMessage({ number, error: attempt(job) } satisfies DiskAnswer);
});

function attempt(job: DiskJob): DiskAnswer["error"] {
  try {
    runDiskJob(job);
    return null;
  } catch (error) {
    const { code = "UNKNOWN", message } = error as NodeJS.ErrnoException;
    return { code, message };
  }
}
