/** @own-process It takes all descriptors of its process. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CommandStreams } from "./command-streams.ts";

const descriptors = () => readdirSync("/proc/self/fd").length;
const limitTo = (soft: string) =>
  execFileSync("prlimit", ["--pid", String(process.pid), `--nofile=${soft}:`], { stdio: "ignore" });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "limpet-test-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Leaves `count` free descriptors. */
async function withDescriptorsLeft(count: number, work: () => Promise<void>): Promise<void> {
  const limit = execFileSync("prlimit", ["--pid", String(process.pid), "--nofile", "--noheadings", "--output=SOFT"], {
    encoding: "utf8",
  }).trim();
  const taken: number[] = [];
  limitTo("256");
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    for (const fd of taken.splice(0, count)) closeSync(fd);
  }
  try {
    await work();
  } finally {
    for (const fd of taken) closeSync(fd);
    limitTo(limit);
  }
}

test.each([0, 1])("with %i descriptors left a separate stderr is refused, and nothing is left behind", async (left) => {
  const before = descriptors();
  await withDescriptorsLeft(left, async () => {
    const opening = CommandStreams.open({ splitStderr: true }, () => undefined);
    await expect(opening).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" });
  });
  await expect.poll(descriptors).toBe(before);
  expect(readdirSync(folder)).toEqual([]);
});
