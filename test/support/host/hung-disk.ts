/** A disk that does not answer. */
import { execFileSync } from "node:child_process";
import { closeSync, linkSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";

/** Puts a FIFO in the place of the journal's file: opening it hangs until somebody opens its other side. */
export async function blockDisk(directory: string): Promise<{ release(): void }> {
  const findFile = () =>
    readdirSync(directory, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".journal"));
  await expect.poll(findFile).toBeDefined();
  const fifo = join(directory, findFile() ?? "");
  // A second name, by which it can be released when the first was deleted.
  const handle = join(directory, "handle");
  rmSync(fifo, { force: true });
  execFileSync("mkfifo", [fifo]);
  linkSync(fifo, handle);
  let isReleased = false;
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    // Not by Node's pool: all its threads may wait for this. Opening both sides at once never waits.
    const both = openSync(handle, "r+");
    rmSync(fifo, { force: true });
    closeSync(both);
  };
  onTestFinished(release);
  return { release };
}
