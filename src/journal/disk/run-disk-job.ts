/** Carries out a job of a disk, synchronously: for a thread that does nothing else. */
import { closeSync, ftruncateSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { makeDirectorySync } from "../../base/make-directory.ts";
import { type AppendJob, DIRECTORY_MODE, type DiskJob, FILE_MODE } from "./disk.ts";

export function runDiskJob(job: DiskJob): void {
  if ("newDirectory" in job && job.newDirectory !== undefined) makeDirectorySync(job.newDirectory, DIRECTORY_MODE);
  switch (job.kind) {
    case "append":
      append(job);
      break;
    case "replace":
      writeFileSync(`${job.path}.new`, job.text, { mode: FILE_MODE });
      renameSync(`${job.path}.new`, job.path);
      break;
    case "remove":
      rmSync(job.path, { recursive: true, force: true });
      break;
  }
}

function append({ path, bytes, fileBytes }: AppendJob): void {
  const file = openSync(path, "a", FILE_MODE);
  try {
    // After a partial write, writing the rest reports the error.
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } catch (error) {
    truncate(file, fileBytes);
    throw error;
  } finally {
    closeSync(file);
  }
}

function truncate(file: number, bytes: number): void {
  try {
    ftruncateSync(file, bytes);
  } catch {
    // The first error says what is wrong.
  }
}
