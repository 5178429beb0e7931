/** Both disks do the same with each job. The thread needs a build. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/watching.ts";
import { type Disk, pooledDisk } from "./disk.ts";
import { openDisk } from "./open-disk.ts";

const encode = (text: string) => new TextEncoder().encode(text);

test("with a build, a disk has a thread of its own", () => {
  expect(openDisk()).not.toBe(pooledDisk);
});

describe.each<[string, () => Disk]>([
  ["the pool", () => pooledDisk],
  ["the thread", openDisk],
])("%s", (_, open) => {
  test("appends to a file, and makes its directory", async () => {
    const directory = join(temporaryDirectory(), "a", "b");
    const [disk, path] = [open(), join(directory, "file")];

    await disk.run({ kind: "append", path, bytes: encode("one "), fileBytes: 0, newDirectory: directory });
    await disk.run({ kind: "append", path, bytes: encode("two"), fileBytes: 4 });

    expect(readFileSync(path, "utf8")).toBe("one two");
    expect([statSync(directory).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  test("appends batches of any size, one after the other", async () => {
    const [disk, path] = [open(), join(temporaryDirectory(), "file")];
    const batches = [10, 20_000, 300_000, 700_000, 20_000].map((bytes, n) => Buffer.alloc(bytes, 65 + n));

    let fileBytes = 0;
    for (const bytes of batches) {
      await disk.run({ kind: "append", path, bytes, fileBytes });
      fileBytes += bytes.length;
    }

    expect(readFileSync(path).equals(Buffer.concat(batches))).toBe(true);
  });

  test("replaces a file as a whole", async () => {
    const [disk, path] = [open(), join(temporaryDirectory(), "file")];
    writeFileSync(path, "a long text of before");

    await disk.run({ kind: "replace", path, text: "é" });

    expect(readFileSync(path, "utf8")).toBe("é");
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  test("makes no directory that it is not asked for", async () => {
    const path = join(temporaryDirectory(), "gone", "file");

    await expect(open().run({ kind: "replace", path, text: "x" })).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("removes a directory with everything in it, or nothing", async () => {
    const directory = join(temporaryDirectory(), "full");
    mkdirSync(join(directory, "inner"), { recursive: true });
    writeFileSync(join(directory, "inner", "file"), "x");

    await open().run({ kind: "remove", path: directory });
    await open().run({ kind: "remove", path: directory });

    expect(existsSync(directory)).toBe(false);
  });

  test("a failed append leaves the file as it was", async () => {
    const path = "/dev/full";

    await expect(open().run({ kind: "append", path, bytes: encode("x"), fileBytes: 0 })).rejects.toMatchObject({
      code: "ENOSPC",
    });
  });

  test("carries out several jobs at once", async () => {
    const [disk, path] = [open(), join(temporaryDirectory(), "file")];

    const jobs = ["a", "b", "c"].map((text) => disk.run({ kind: "replace", path: `${path}.${text}`, text }));
    await Promise.all(jobs);

    expect(["a", "b", "c"].map((text) => readFileSync(`${path}.${text}`, "utf8"))).toEqual(["a", "b", "c"]);
  });
});
