import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig, replaceConfig } from "./config-file.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "limpet-config-"));
});

afterEach(async () => {
  await rm(home, { recursive: true });
});

test("a file that is a link stays one", async () => {
  const [real, link] = [join(home, "real.json"), join(home, "link.json")];
  await writeFile(real, "{}\n");
  await symlink(real, link);

  await replaceConfig(link, "[]\n");

  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(real, "utf8")).toBe("[]\n");
  expect(await readFile(`${real}.bak`, "utf8")).toBe("{}\n");
});

test("a file that does not exist is empty, and is made with its directories and without a backup", async () => {
  const file = join(home, "a/b/new.json");

  expect(await readConfig(file)).toBe("");
  expect(await replaceConfig(file, "{}\n")).toBeNull();

  expect(await readdir(join(home, "a/b"))).toEqual(["new.json"]);
});

test("a file that is not text is refused", async () => {
  const file = join(home, "mcp.json");
  await writeFile(file, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));

  await expect(readConfig(file)).rejects.toThrow(`${file} is not UTF-8 text.`);
});

test("a directory in the place of the file is an error with its reason", async () => {
  await mkdir(join(home, "mcp.json"));

  await expect(readConfig(join(home, "mcp.json"))).rejects.toMatchObject({ code: "BAD_CONFIG" });
  await expect(replaceConfig(join(home, "mcp.json"), "")).rejects.toMatchObject({ code: "BAD_CONFIG" });
});
