/** What a run of the tests takes for its own, and what not. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
// @ts-expect-error A script without types.
import { endWatch, startWatch, watchedEnv } from "../../scripts/tests/leftovers.mjs";
import { groupRoots } from "../support/case-guard.ts";
import { hostPids } from "../support/host/host.ts";
import { MAIN } from "../support/mcp.ts";
import { until } from "../support/sessions.ts";
import { open, temporaryDirectory } from "../support/watching.ts";

function limpet(words: readonly string[], env: NodeJS.ProcessEnv): string {
  return execFileSync(process.execPath, [MAIN, ...words], { env, encoding: "utf8" });
}

test("a host that is started beside a run, its session and its cgroup are not left behind by the run", async () => {
  const folder = temporaryDirectory();
  const state = join(folder, "state");
  const env = { HOME: folder, LIMPET_HOME: state, PATH: process.env["PATH"] };
  const watch = startWatch({ homes: [folder] });
  onTestFinished(() => void limpet(["host", "stop"], env));
  limpet(["start", "--name", "dev", "cat"], env);

  const leftBehind = await endWatch(watch);

  expect(leftBehind).toEqual([]);
  expect(JSON.parse(limpet(["ls", "--json"], env))).toMatchObject([{ name: "dev" }]);
});

test("a host that a run leaves behind is named with its terminal, and ended", async () => {
  const watch = startWatch({ homes: [temporaryDirectory()] });
  const state = join(watch.dir, "state");
  limpet(["start", "--name", "dev", "cat"], { ...watchedEnv(watch), LIMPET_HOME: state });
  const [host] = hostPids(state);
  const named = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => named.mockRestore());

  const leftBehind = await endWatch(watch);

  const lines = named.mock.calls.flat().join("\n");
  expect(leftBehind.length).toBeGreaterThanOrEqual(3);
  expect(lines).toMatch(/^LEFT BEHIND: process \d+ \(.* host run .*\)$/m);
  expect(lines).toMatch(/^LEFT BEHIND: process \d+ \(cat\)$/m);
  expect(lines).toMatch(/^LEFT BEHIND: terminal \/dev\/pts\/\d+, held by \d+ \(.* host run /m);
  await until(() => hostPids(state).length === 0, "its host is gone");
  // Whoever opens a session next clears away the control group of a host that was killed.
  await open({ program: "true" });
  await until(() => !groupRoots().some((path) => path.includes(`-${host}-`)), "its control group is gone");
});
