import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeDirectory, makeDirectorySync } from "./make-directory.ts";

const place = mkdtempSync(join(tmpdir(), "limpet-make-"));
afterAll(() => rmSync(place, { recursive: true }));

describe.each([
  { how: "waiting", make: makeDirectory },
  { how: "at once", make: async (path: string, mode: number) => makeDirectorySync(path, mode) },
])("a directory made $how", ({ how, make }) => {
  const at = (...names: string[]) => join(place, how, ...names);

  test("comes with those above it, each with its mode, and is made only once", async () => {
    expect(await make(at("a", "b", "c"), 0o700)).toBe(true);
    expect(await make(at("a", "b", "c"), 0o700)).toBe(false);

    for (const path of [at("a"), at("a", "b", "c")]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test.each(["/proc/x", "/proc/x/y/z", ""])("is refused, and soon, where none can be: %j", async (path) => {
    await expect(make(path, 0o700)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("is refused below a file, and below a link that leads nowhere", async () => {
    await make(at(), 0o700);
    writeFileSync(at("file"), "");
    symlinkSync(at("nowhere"), at("link"));

    await expect(make(at("file", "a"), 0o700)).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(make(at("link", "a", "b"), 0o700)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
