/** @own-process It puts its process on standby, which lasts until the process ends. */
import { spawn } from "node:child_process";
import { pbkdf2 } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { needs } from "../../test/support/needs.ts";
import { openSession } from "../entries/session.ts";
import { ownGroupPath } from "../linux/cgroup.ts";
import { canSpawnInside } from "./spawn-program.ts";
import { moveUnderWay } from "./standby-group.ts";
import { startInGroup, stayReadyToStart } from "./start-in-group.ts";

test("what a process on standby starts beside its sessions outlives them", async () => {
  stayReadyToStart();
  await moveUnderWay();
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

test.skipIf(canSpawnInside || !needs("cgroups"))(
  "starts that wait for the same move all start in groups of their own, even if the next move is late",
  async () => {
    stayReadyToStart();
    const startSlowly = async () => {
      let startedIn: string | undefined;
      const { group } = await startInGroup(() => {
        sleepNow(100);
        startedIn = ownGroupPath();
        delayMoves();
        return process.pid;
      });
      await group?.remove();
      return { startedIn, group: group?.path };
    };

    const starts = await Promise.all(Array.from({ length: 5 }, startSlowly));

    expect(starts.filter(({ startedIn, group }) => group === undefined || startedIn !== group)).toEqual([]);
    expect(new Set(starts.map(({ group }) => group)).size).toBe(5);
  },
);

/** Keeps all threads of Node's pool, which also make the moves, busy for some milliseconds. */
function delayMoves(): void {
  for (let thread = 0; thread < 4; thread += 1) pbkdf2("", "", 100_000, 32, "sha256", () => undefined);
}

function sleepNow(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
