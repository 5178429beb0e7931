/** Worker threads, and packages installed twice, have copies of the module in one process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it, vi } from "vitest";

let program: ChildProcess | undefined;

afterEach(() => {
  program?.kill("SIGKILL");
  vi.resetModules();
});

it("a copy of the module that has no sessions left ends nothing of another copy", async () => {
  const first = await import("./cgroup.ts");
  vi.resetModules();
  const second = await import("./cgroup.ts");
  program = spawn("cat", { stdio: ["pipe", "pipe", "ignore"] });
  const group = first.makeGroup();
  group?.add(program.pid ?? -1);
  second.makeGroup();

  second.removeRoot();

  // What was killed echoes nothing any more.
  program.stdin?.write("alive");
  const [echo] = await Promise.race([once(program.stdout ?? program, "data"), once(program, "exit")]);
  expect(String(echo)).toBe("alive");
  program.stdin?.end();
  await once(program, "exit");
  await group?.remove();
  first.removeRoot();
});
