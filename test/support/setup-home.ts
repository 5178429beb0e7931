/** A home of its own for each test of setup, with a project in it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type SetupRequest, setup as setUp } from "../../src/cli/setup/setup.ts";

/** That of the test that runs. */
export let home: string;

/** For all tests of the file that calls it. */
export function giveEachTestAHome(): void {
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "limpet-setup-"));
  });

  afterEach(async () => {
    await rm(home, { recursive: true });
  });
}

export function setup(request: Partial<SetupRequest> & { readonly client: string }) {
  return setUp({ home, project: () => join(home, "project"), ...request });
}

export async function put(path: string, text: string): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}
