/** @own-process It puts its process on standby, which lasts until the process ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { openSession } from "../entries/session.ts";
import { standbySettled } from "./standby-group.ts";
import { stayReadyToStart } from "./start-in-group.ts";

test("what a process on standby starts beside its sessions outlives them", async () => {
  stayReadyToStart();
  await standbySettled();
  const beside = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  const closed = once(beside, "close");
  await once(beside, "spawn");

  const session = await openSession({ program: "sleep", args: ["1000"] });
  const { ended } = await session.close({ force: true });
  const wasAlive = beside.kill();
  const [, signal] = await closed;

  expect(ended.map(({ name }) => name)).toEqual(["sleep"]);
  expect([wasAlive, signal]).toEqual([true, "SIGTERM"]);
});
