/** A host whose disk is full: sessions go on, the loss shows, and the next host can read what there is. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readOutput, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { profiles } from "../../../src/tools/profiles.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, pidOf } from "../../support/host/host.ts";
import { MAIN } from "../../support/mcp.ts";
import { needs } from "../../support/needs.ts";
import { until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };

/** A directory on a disk of a megabyte. */
function smallDisk(): string {
  const mount = temporaryDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=700", "none", mount]);
  onTestFinished(() => void execFileSync("umount", ["-l", mount]));
  return mount;
}

test.runIf(needs("root"))("on a full disk sessions go on, and listing and results say what is missing", async () => {
  hostDirectory();
  const directory = join(smallDisk(), "state");
  const client = hostAt(directory);
  onTestFinished(async () => {
    await client.stopHost();
  });
  const total = 6_000_000;
  const { id } = await startSession(client, {
    command: `read -r go; head -c ${total} /dev/zero | tr '\\0' a; echo; exec cat`,
    ...plain,
  });
  // What is not on the disk before it is full cannot be read by the next host.
  const sessions = join(directory, "sessions");
  const isKept = () =>
    existsSync(sessions) && readdirSync(sessions).some((name) => existsSync(join(sessions, name, "session.json")));
  await until(isKept, "its record is there");
  await client.write(id, "\n", { caller: "test", by: "person" });
  await until(async () => (await client.list({ ended: false }))[0]?.journal?.kind === "degraded", "the loss shows");
  const call = async (name: string, args: Record<string, unknown>) => {
    const tool = profiles.all.tools.find((known) => known.name === name);
    return await tool?.call(args, { sessions: client, caller: "test" });
  };

  const listed = await call("list_sessions", {});
  const env = { ...process.env, LIMPET_HOME: directory };
  const table = execFileSync(process.execPath, [MAIN, "ls"], { env, encoding: "utf8" });
  const answer = await call("write_stdin", {
    session_id: id,
    chars: "still here\n",
    until: "still here\\s+still here",
  });
  const later = await startSession(client, { command: "echo another", ...plain });
  await waitForSession(client, { keys: [later.id] });

  expect(listed?.text).toMatch(/journal on disk incomplete: \d+ bytes missing \(ENOSPC\)/);
  expect(table).toMatch(new RegExp(`^ *${id} +running .* [\\d.]+[KM]! `, "m"));
  expect(table).toMatch(new RegExp(`^! ${id}: journal on disk incomplete: \\d+ bytes missing \\(ENOSPC\\)$`, "m"));
  expect(answer?.text).toMatch(/^Warning: journal on disk incomplete: \d+ bytes missing \(ENOSPC\)$/m);
  expect(answer?.text).toContain("still here");
  expect((await readOutput(client, later.id, { kind: "text" })).text).toBe("another\n");

  endProcess(await pidOf(client));
  await until(async () => (await client.running().catch(() => ["dying"])).length === 0, "it is gone");
  const find = async () => (await client.list({ ended: true })).find((session) => session.id === id);
  const former = await find();
  const { next, droppedBytes, text } = await readOutput(client, id, {
    kind: "text",
    raw: true,
    maxTokens: 4_000_000,
  });

  expect(former).toMatchObject({ lost: true, journal: { kind: "degraded", reason: "ENOSPC" } });
  expect(former?.outputBytes).toBeGreaterThanOrEqual(total);
  expect((await call("read_output", { session_id: id }))?.text).toMatch(/\d+ bytes /);
  expect(next).toBe(former?.outputBytes);
  expect(text.length).toBeGreaterThan(100_000);
  expect(droppedBytes).toBeLessThan(next);
  expect((await startSession(client, { command: "true", ...plain })).id).toBeGreaterThan(later.id);

  endProcess(await pidOf(client));
  await until(async () => (await client.running().catch(() => ["dying"])).length === 0, "the second host is gone, too");
  expect(await find()).toMatchObject({ outputBytes: former?.outputBytes, journal: former?.journal });
});
