/** What programs in a container print passes through its engine, and may arrive long after they have printed it. */
import { expect, test, vi } from "vitest";
import { openSession } from "../../../src/session/open/open-session.ts";
import { openShell } from "../../../src/shell/open-shell.ts";
import { containerTransport } from "../../../src/transport/container/container-transport.ts";
import { useEngine } from "../../support/containers/engine.ts";
import { slowDownDocker } from "../../support/containers/slow-tool.ts";
import { LONG_MS } from "../../support/watching.ts";

vi.setConfig({ testTimeout: 240_000 });
const engine = useEngine("docker");
/** Far longer than the kernel needs to show that a program waits. */
const LATE_MS = 400;

const inContainer = () => ({
  transport: containerTransport({ container: { engine: "docker", name: engine.start() }, isHere: true }),
  baseEnv: async () => ({}),
  cwd: "/tmp",
});

test("a program counts as waiting only when its last output has arrived", async () => {
  slowDownDocker(LATE_MS);
  await using session = await openSession({
    ...inContainer(),
    program: "sh",
    args: ["-c", "echo hello; printf 'name: '; read name; printf \"hi $name, age: \"; read age"],
  });

  const first = await session.wait({ deadlineMs: LONG_MS });
  const asked = (await session.readText()).text;
  await session.write("Ada\n");
  const second = await session.wait({ deadlineMs: LONG_MS });
  const all = (await session.readText()).text;

  expect([first.reason, second.reason]).toEqual(["input", "input"]);
  expect([asked, all]).toEqual(["hello\r\nname: ", "hello\r\nname: Ada\r\nhi Ada, age: "]);
});

test("commands of a shell run once, with their output and their exit codes", async () => {
  slowDownDocker(LATE_MS);
  const { baseEnv, ...container } = inContainer();
  await using shell = await openShell({
    shell: "/bin/ash",
    ...container,
    deadlineMs: 60_000,
    open: (given) => openSession({ baseEnv, ...given }),
  });

  const first = await shell.run("echo 1 >>/tmp/log; echo out; (exit 3)");
  const second = await shell.run("cat /tmp/log");

  expect([first, second].map(({ output, exitCode }) => [output, exitCode])).toEqual([
    ["out\n", 3],
    ["1\n", 0],
  ]);
});
