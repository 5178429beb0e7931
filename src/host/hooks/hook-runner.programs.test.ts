import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionEvent } from "../../service/events/session-event.ts";
import { HookRunner } from "./hook-runner.ts";

const event: SessionEvent = {
  kind: "exited",
  exit: { kind: "code", code: 0 },
  session: { id: 1, name: "dev", place: null },
  owner: null,
  at: 0,
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "limpet-hooks-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

test("at most four commands run at once, and the others follow", async () => {
  const file = join(folder(), "log");
  const runner = new HookRunner({ onProblem: () => undefined });

  for (let n = 0; n < 12; n += 1) runner.run(`echo + >> ${file}; sleep 0.1; echo - >> ${file}`, event);

  await expect.poll(() => linesOf(file).length).toBe(24);
  let running = 0;
  const counts = linesOf(file).map((line) => {
    running += line === "+" ? 1 : -1;
    return running;
  });
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});

test("a command that takes too long is ended with what it started, and reported", async () => {
  const file = join(folder(), "pid");
  const problems: string[] = [];
  const runner = new HookRunner({ limitMs: 300, onProblem: (text) => problems.push(text) });

  runner.run(`sleep 1000 & echo $! > ${file}; wait`, event);

  await expect
    .poll(() => problems)
    .toEqual([expect.stringMatching(/^hook exited \(sleep 1000.* was ended after 300 ms$/)]);
  await expect.poll(() => existsSync(`/proc/${linesOf(file)[0]}/cwd`)).toBe(false);
});

test("a command that fails or reads nothing is reported, and a flood is left out with its count", async () => {
  const problems: string[] = [];
  const runner = new HookRunner({ onProblem: (text) => problems.push(text) });

  runner.run("exit 3", event);
  await expect.poll(() => problems).toEqual(["hook exited (exit 3) exited with code 3"]);
  for (let n = 0; n < 300; n += 1) runner.run(":", event);

  await expect
    .poll(() => problems.slice(1))
    .toEqual(["hooks: skipped 1 events: too many", "hooks: skipped 101 events: too many"]);
});
