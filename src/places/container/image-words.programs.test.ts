import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { childrenOf } from "../../../test/support/places/children-of.ts";
import { FIRST_PROCESS } from "./image-words.ts";

function startFirst(path: string) {
  const shell = spawn("/bin/sh", ["-c", FIRST_PROCESS], { env: { PATH: path }, stdio: "ignore" });
  onTestFinished(() => void shell.kill("SIGKILL"));
  return { pid: shell.pid as number, ended: once(shell, "exit") };
}

test("the first process of a container ends if there is no sleep, instead of spinning", async () => {
  const { ended } = startFirst("/no/such/folder");

  expect(await ended).toEqual([1, null]);
});

test("the first process of a container goes on if its sleep is killed, and ends when it is asked to", async () => {
  const { pid, ended } = startFirst("/usr/bin:/bin");
  const sleepOf = () => childrenOf(pid)[0];
  await expect.poll(sleepOf).toBeDefined();
  const first = sleepOf() as number;

  process.kill(first, "SIGKILL");
  await expect.poll(() => sleepOf() !== undefined && sleepOf() !== first).toBe(true);
  const left = sleepOf() as number;
  process.kill(pid, "SIGTERM");

  const [code, signal] = await ended;
  process.kill(left, "SIGKILL");
  expect([typeof code, signal]).toEqual(["number", null]);
});
