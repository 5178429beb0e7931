import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { CommandStreams } from "./command-streams.ts";

const descriptors = () => readdirSync("/proc/self/fd").length;
const directories = () => readdirSync(tmpdir()).filter((name) => name.startsWith("limpet-"));
const limitTo = (soft: string) =>
  execFileSync("prlimit", ["--pid", String(process.pid), `--nofile=${soft}:`], { stdio: "ignore" });

/** Leaves so many descriptors to be had. */
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
  const directoriesBefore = directories();
  await withDescriptorsLeft(left, async () => {
    const opening = CommandStreams.open({ splitStderr: true }, () => undefined);
    await expect(opening).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" });
  });
  await expect.poll(descriptors).toBe(before);
  expect(directories()).toEqual(directoriesBefore);
});
