/** The image of the Dockerfile, with a base that has busybox, and Node and its libraries from this machine. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
// @ts-expect-error A script without types.
import { writeImageContext } from "../../../scripts/image-context.mjs";
import { libraries, useEngine } from "../../support/containers/engine.ts";
import { INITIALIZE } from "../../support/mcp.ts";
import { temporaryDirectory } from "../../support/watching.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
const engine = useEngine("podman");
const RUN = ["run", "--rm", "-i", "--network", "none", ...libraries(), "-v", `${process.execPath}:/usr/bin/node:ro`];

const folder = temporaryDirectory(afterAll);

beforeAll(() => {
  const context = writeImageContext(join(folder, "image")) as string;
  engine.tool("build", "--pull=never", "--layers=false", "--build-arg", "BASE=box", "-t", "limpet", context);
});

test("the image runs commands as a user who is not root", () => {
  const output = engine.tool(...RUN, "limpet", "run", "id -u; pwd");

  expect(output).toBe("1000\n/home/limpet\n");
});

test("the image serves MCP over stdin by default", async () => {
  const echo = { name: "exec_command", arguments: { cmd: "echo from the $HOME", login: false } };
  const calls = [INITIALIZE, { jsonrpc: "2.0", id: 1, method: "tools/call", params: echo }];

  const answer = await new Promise<string>((resolve) => {
    let heard = "";
    const server = execFile("podman", [...RUN, "limpet"]);
    server.stdout?.on("data", (text: string) => {
      heard += text;
      if (heard.includes('"id":1')) server.stdin?.end();
    });
    server.on("close", () => resolve(heard));
    for (const call of calls) server.stdin?.write(`${JSON.stringify(call)}\n`);
  });

  expect(answer).toContain("from the /home/limpet");
});
