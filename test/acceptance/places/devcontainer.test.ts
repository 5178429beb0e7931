/**
 * A dev container as a place, through the real command line tool of the Dev Containers project, with `npm run
 * test:long`: it is fetched from npm into the temporary directory.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { libraries, useEngine } from "../../support/containers/engine.ts";
import { clientMaker } from "../../support/places/place.ts";
import { errorOf, isLong } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

vi.setConfig({ testTimeout: 300_000 });
const PACKAGE = "@devcontainers/cli@0.89.0";
const CALLER = "test";
const engine = useEngine("docker");

/** Returns its path; it is on PATH for the rest of this file. */
function fetchTool(): string {
  const folder = temporaryDirectory();
  const flags = ["--prefix", folder, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", ...flags, PACKAGE], { stdio: "pipe", timeout: 240_000 });
  const bin = join(folder, "node_modules", ".bin");
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  return join(bin, "devcontainer");
}

/** The tool names the user, whom the engine looks up in the image. */
function imageWithRoot(): string {
  const passwd = join(temporaryDirectory(), "passwd");
  writeFileSync(passwd, "root:x:0:0:root:/root:/bin/sh\n");
  engine.tool("create", "--name", "with-root", "box", "/bin/true");
  engine.tool("cp", passwd, "with-root:/etc/passwd");
  engine.tool("commit", "with-root", "box-with-root");
  return "box-with-root";
}

const volumes = (words: readonly string[]) =>
  words
    .filter((word) => word !== "-v")
    .map((word) => word.split(":"))
    .map(([source, target]) => ({ source, target }));

test.runIf(isLong)("a dev container has a host inside, in its folder and with its environment", async () => {
  const tool = fetchTool();
  const workspace = join(temporaryDirectory(), "api");
  mkdirSync(join(workspace, ".devcontainer"), { recursive: true });
  const shared = [...volumes(libraries()), { source: process.execPath, target: "/usr/local/bin/node" }];
  const definition = {
    image: imageWithRoot(),
    updateRemoteUserUID: false,
    runArgs: ["--network", "none", "--stop-timeout", "0"],
    mounts: shared.map(({ source, target }) => `type=bind,source=${source},target=${target},readonly`),
    workspaceMount: `type=bind,source=${workspace},target=/project`,
    workspaceFolder: "/project",
    remoteEnv: { FROM_DEFINITION: "yes" },
  };
  writeFileSync(join(workspace, ".devcontainer", "devcontainer.json"), JSON.stringify(definition));
  const clients = clientMaker({ devcontainer: workspace });

  const before = await errorOf(clients().list({ ended: false }));
  execFileSync(tool, ["up", "--workspace-folder", workspace], { stdio: "pipe", timeout: 120_000 });
  const client = clients();
  const run = { command: "cat /proc/1/comm; echo $FROM_DEFINITION; ls -d /project", shell: "main" };
  const { command } = await client.turn({ caller: CALLER, on: { kind: "run", run } });
  const { id } = await startSession(client, { command: "stty -echo; read x" });
  const { result } = await waitForSession(client, { keys: [id], deadlineMs: 90_000 });

  expect(before).toMatchObject({
    code: "PLACE_UNREACHABLE",
    message: expect.stringContaining("Dev container not found"),
  });
  expect(command).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^(sh|sleep)\nyes\n\/project\n$/) });
  expect(result).toMatchObject({ reason: "input", waitingFor: "password" });
});
