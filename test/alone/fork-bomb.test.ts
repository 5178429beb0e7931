/** A session that starts ever more processes. Alone, because it takes the processors from everyone for a moment. */
import { expect, onTestFinished, test } from "vitest";
import type { GivenLimits } from "../../src/base/session-limits.ts";
import { openSession, type Session } from "../../src/entries/session.ts";
import { until } from "../support/sessions.ts";

async function limited(command: string, limits: GivenLimits): Promise<Session> {
  const session = await openSession({ command, shell: "/bin/bash", limits });
  onTestFinished(async () => void (await session.discard({ force: true })));
  return session;
}

test("a fork bomb is ended, and other sessions answer meanwhile", async () => {
  const other = await openSession({ program: "cat" });
  onTestFinished(async () => void (await other.discard({ force: true })));
  const bomb = await limited("f() { sleep 0.1; f | f & }; for i in 1 2 3 4 5 6 7 8; do sleep 1000 & done; f; wait", {
    processes: 40,
    wallTime: "20s",
  });

  await other.write("still here\n");
  await until(async () => (await other.readText({ from: 0 })).text.includes("still here"), "the other session answers");
  await bomb.exited;
  await bomb.close({ force: true });

  expect(bomb.limits).toEqual({ processes: 40, wallTime: 20_000 });
  expect(await bomb.leftovers()).toEqual([]);
  const { endedBy, enforced } = bomb.limitState ?? {};
  // In a control group, or for an ordinary user, the kernel lets no more start.
  const kernel = process.getuid?.() === 0 ? ["cgroup"] : ["cgroup", "process"];
  const isBounded = endedBy === "processes" || kernel.includes(enforced?.processes?.by ?? "");
  expect(isBounded).toBe(true);
});
