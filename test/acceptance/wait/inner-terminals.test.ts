import { expect, test } from "vitest";
import { skipWithout } from "../../support/needs.ts";
import { LONG_MS, open, waitForInput } from "../../support/watching.ts";

skipWithout("script");

test("behind a relay, a program without a prompt waits for input when its state has not changed for 100 ms", async () => {
  const command = "bash -c 'read -rs; read -rs'";
  const session = await open({ program: "script", args: ["-qc", command, "/dev/null"] });
  await waitForInput(session);

  const typedMs = performance.now();
  await session.write("x\r");
  const result = await session.wait({ deadlineMs: LONG_MS });

  expect(result).toMatchObject({ reason: "input", waitingFor: "password" });
  expect(performance.now() - typedMs).toBeGreaterThanOrEqual(100);
});
