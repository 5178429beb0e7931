/** A host that cannot be reached over a command: what is reported about a login, Node or the home there. */
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { needs } from "../../support/needs.ts";
import { clientMaker } from "../../support/places/place.ts";
import { errorOf } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

// Several programs each, on a machine that does much else.
vi.setConfig({ testTimeout: 180_000 });

test("a login that fails is reported with what it printed", async () => {
  const failing = clientMaker({ via: ["/bin/sh", "-c", "echo motd; echo 'account expired' >&2; exit 3", "sh"] });

  const error = await errorOf(failing().list({ ended: false }));

  expect(error.code).toBe("PLACE_UNREACHABLE");
  expect(error.message).toContain("it exited with 3. It printed: account expired / motd");
});

test("a command that does not exist is reported", async () => {
  const error = await errorOf(clientMaker({ via: ["/no/such/command"] })().list({ ended: false }));

  expect([error.code, error.message]).toEqual(["PLACE_UNREACHABLE", expect.stringContaining("ENOENT")]);
});

test.skipIf(!needs("bwrap")).each([
  ["no Node", undefined, "has no Node"],
  ["an old Node", "v18.20.0", "has only Node v18.20.0"],
  ["a Node that is a little too old", "v20.14.0", "has only Node v20.14.0"],
])("a place with %s is refused with what to install", async (_what, version, found) => {
  const bin = temporaryDirectory();
  for (const name of ["env", "sh"]) symlinkSync(`/bin/${name}`, join(bin, name));
  // A root in which the usual places of Node are empty.
  const empty = temporaryDirectory();
  const old = version === undefined ? [] : oldNode(bin, version);
  const known = ["/usr/bin/node", "/usr/bin/nodejs", "/usr/local/bin/node"].filter((path) => existsSync(path));
  const hide = [...new Set(known.map((path) => realpathSync(path)))].flatMap((path) => [
    "--ro-bind",
    "/dev/null",
    path,
  ]);
  mkdirSync(join(empty, "home"));
  const via = ["bwrap", "--dev-bind", "/", "/", ...old, ...hide, "env", "-i", `HOME=${empty}/home`, `PATH=${bin}`];

  const error = await errorOf(clientMaker({ via })().list({ ended: false }));

  expect(error.code).toBe("PLACE_NO_NODE");
  expect(error.message).toContain(found);
  expect(error.message).toContain("Install Node 20.15 or later");
});

/** A Node that takes itself for another version. Returns the words for bwrap that it needs. */
function oldNode(bin: string, version: string): readonly string[] {
  const [real, preload] = [join(bin, "real-node"), join(bin, "version.cjs")];
  writeFileSync(real, "");
  writeFileSync(
    preload,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version.slice(1)}" } });`,
  );
  const script = `#!/bin/sh\n[ "$1" = -v ] && echo ${version} && exit\nexec ${real} --require ${preload} "$@"\n`;
  writeFileSync(join(bin, "node"), script, { mode: 0o755 });
  return ["--ro-bind", process.execPath, real];
}

test("a home that cannot be written to is reported", async () => {
  const client = clientMaker({
    via: ["env", "-i", "HOME=/proc/nowhere", `PATH=${join(process.execPath, "..")}:/bin`],
  })();

  const error = await errorOf(client.list({ ended: false }));

  expect([error.code, error.message]).toEqual(["PLACE_UNREACHABLE", expect.stringContaining("/proc/nowhere")]);
});
