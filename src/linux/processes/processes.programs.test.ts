import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { needs } from "../../../test/support/needs.ts";
import { testProgram } from "../../../test/support/watching.ts";
import { MARK_VARIABLE, readMarkedProcess } from "./processes.ts";

test.skipIf(!needs("python3"))("a process whose main thread has ended still bears its mark", async () => {
  const env = { PATH: process.env["PATH"], [MARK_VARIABLE]: "tulip" };
  const program = spawn("python3", [testProgram("waits/main-thread-ends.py")], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void program.kill("SIGKILL"));
  await once(program.stdout, "data");
  const pid = program.pid ?? 0;
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);

  expect(readMarkedProcess(pid)).toMatchObject({ pid, mark: "tulip", state: "S" });
});
