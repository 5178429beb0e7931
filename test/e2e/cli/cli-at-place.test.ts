/** More of the command line at a place: what acts on a session there, and what a person sees who waits for a place. */
import { spawn } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openSession } from "../../../src/session/open/open-session.ts";
import { openCli } from "../../support/cli.ts";
import { MAIN } from "../../support/mcp.ts";
import { testPlace } from "../../support/places/place.ts";
import { pidsWith } from "../../support/processes.ts";
import { isLong, outputHas } from "../../support/sessions.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

/** The place is `build`; others are added to it. */
function openAt(others: Record<string, unknown> = {}) {
  const place = testPlace();
  const cli = openCli();
  onTestFinished(() => cli[Symbol.asyncDispose]());
  // Stops the host there at the end.
  place.client();
  const folder = join(cli.folder, "config", "limpet");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ places: { build: place.setting, ...others } }));
  const limpet = async (...words: string[]) => {
    const { code, stdout, stderr } = await cli.limpet(words);
    if (code !== 0) throw new Error(`limpet ${words.join(" ")} gave ${code}: ${stderr}`);
    return stdout;
  };
  return { cli, place, limpet };
}

test("a session there is renamed, resized, frozen, thawed, signalled and restarted", async () => {
  const { limpet } = openAt();
  const command = "trap 'echo HUP came' HUP; trap 'stty size' WINCH; echo started; while :; do sleep 0.1; done";
  const key = (await limpet("start", "--at", "build", command)).trim();
  await limpet("wait", key, "--until", "started", "--timeout", "60");

  expect(await limpet("rename", key, "dev")).toContain("dev");
  expect(await limpet("freeze", "dev", "--at", "build")).toMatch(/[Ff]rozen/);
  const [frozen] = JSON.parse(await limpet("ls", "--at", "build", "--json"));
  await limpet("thaw", "build/dev");
  await limpet("resize", "build/dev", "70x20");
  await limpet("wait", "build/dev", "--until", "20 70", "--timeout", "60");
  await limpet("signal", "build/dev", "HUP");
  await limpet("wait", "build/dev", "--until", "HUP came", "--timeout", "60");
  const restarted = await limpet("restart", "build/dev");

  expect(frozen).toMatchObject({ name: "dev", frozen: expect.stringMatching(/^(cgroup|signals)$/) });
  expect(restarted).toContain("build/");
  await limpet("kill", "build/dev", "--force");
});

test("a person sees how far a copy is", async () => {
  const { cli } = openAt();
  const big = join(cli.folder, "big");
  writeFileSync(big, "");
  truncateSync(big, 400_000_000);
  await using session = await openSession({
    program: process.execPath,
    args: [MAIN, "put", big, "build:big"],
    cwd: cli.folder,
    env: cli.env,
  });

  await outputHas(session, "% of ", 120_000);
});

/** It ignores the end of its stdin. Its time makes it known. */
const MUTE_S = `1000.${process.pid}`;
const mute = { via: ["sh", "-c", `exec sleep ${MUTE_S}`] };
const muted = () => pidsWith(`sleep\0${MUTE_S}\0`);

test("the command of a place that has not answered ends with limpet", async () => {
  const { cli } = openAt({ mute });
  const asking = spawn(process.execPath, [MAIN, "places", "mute"], {
    cwd: cli.folder,
    env: { ...process.env, ...cli.env },
    stdio: "ignore",
  });
  cli.closeFirst(asking);
  await expect.poll(muted).toHaveLength(1);

  asking.kill("SIGTERM");

  await expect.poll(muted).toEqual([]);
});

test.runIf(isLong)("a place that says nothing is shown as silent, and holds up none of the others", async () => {
  const { cli } = openAt({ mute });

  const { code, stdout } = await cli.limpet(["places", "--json"]);

  expect(JSON.parse(stdout)).toMatchObject([
    { place: "build", state: "idle", problem: null },
    { place: "mute", state: "silent", problem: expect.stringMatching(/^no answer in \d+ s$/) },
  ]);
  expect(code).toBe(1);
  await expect.poll(muted).toEqual([]);
});
