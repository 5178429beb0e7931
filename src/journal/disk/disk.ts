/** The file operations that sessions need. Each job is carried out completely, or rejects. */
import { open, rename, rm, writeFile } from "node:fs/promises";
import { makeDirectory } from "../../base/make-directory.ts";

/** Adds to the end of a file. */
export interface AppendJob {
  readonly kind: "append";
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The length of the file before the write. After a failed write the file is truncated to it. */
  readonly fileBytes: number;
  /** A directory to create first, if the file is the first one in it. */
  readonly newDirectory?: string | undefined;
}

/** Replaces a whole file atomically: a crash leaves the old or the new one. Only one job at a time per path. */
export interface ReplaceJob {
  readonly kind: "replace";
  readonly path: string;
  readonly text: string;
  /** A directory to create first. Otherwise the directory must exist, because it may have been deleted on purpose. */
  readonly newDirectory?: string | undefined;
}

/** Deletes a file or a directory with everything in it. */
interface RemoveJob {
  readonly kind: "remove";
  readonly path: string;
}

export type DiskJob = AppendJob | ReplaceJob | RemoveJob;

/** Rejects with the error of the file system. The caller must await jobs for the same path one by one. */
export interface Disk {
  run(job: DiskJob): Promise<void>;
}

export const DIRECTORY_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Uses Node's pool of threads, with a round trip for each step. */
export const pooledDisk: Disk = {
  async run(job) {
    if ("newDirectory" in job && job.newDirectory !== undefined) await makeDirectory(job.newDirectory, DIRECTORY_MODE);
    switch (job.kind) {
      case "append":
        return await append(job);
      case "replace":
        await writeFile(`${job.path}.new`, job.text, { mode: FILE_MODE });
        return await rename(`${job.path}.new`, job.path);
      case "remove":
        return await rm(job.path, { recursive: true, force: true });
    }
  },
};

async function append({ path, bytes, fileBytes }: AppendJob): Promise<void> {
  const file = await open(path, "a", FILE_MODE);
  try {
    // After a partial write, writing the rest reports the error.
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
  } catch (error) {
    await file.truncate(fileBytes).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}
