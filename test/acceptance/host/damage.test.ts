/** A disk that changes what a host has written: every other session is still listed, and the damaged one is named. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openStateDirectory } from "../../../src/host/state/state-directory.ts";
import { takeOver } from "../../../src/host/state/take-over.ts";
import { pooledDisk } from "../../../src/journal/disk/disk.ts";
import type { SessionSummary } from "../../../src/service/listing/session-summary.ts";
import { LocalService } from "../../../src/service/local-service.ts";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { openCli } from "../../support/cli.ts";
import { handAlarm } from "../../support/hand-alarm.ts";
import { endHostsBelow } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory } from "../../support/host/host.ts";
import { isLong, until } from "../../support/sessions.ts";
import { LONG_MS, temporaryDirectory } from "../../support/watching.ts";

const FLIPS = isLong ? 560 : 8;
const plain = { login: false, shell: "/bin/sh" };

/** What a host leaves that was killed while one of its two sessions was running. */
async function leftState(): Promise<string> {
  const path = hostDirectory();
  const host = hostAt(path);
  const ended = await startSession(host, { command: "echo the output", name: "ended", ...plain });
  await waitForSession(host, { keys: [ended.id], onInput: false, deadlineMs: LONG_MS });
  await startSession(host, { command: "echo more; exec sleep 1000", name: "running", ...plain });
  const records = () => filesBelow(join(path, "sessions")).filter((file) => file.endsWith("session.json"));
  await until(() => records().length === 2, "both have a record");
  await endHostsBelow(dirname(path));
  return path;
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function listed(path: string): Promise<readonly SessionSummary[]> {
  const directory = openStateDirectory(path);
  try {
    const { registry, ids, log, losses } = await takeOver(directory, {
      maxSessions: 10,
      alarm: handAlarm().alarm,
      onExited: () => undefined,
      // Thousands of threads, one for each damage, would be left otherwise.
      disk: pooledDisk,
    });
    const all = await new LocalService(registry).list({ ended: true });
    ids.close();
    log.close();
    await losses.close();
    return all;
  } finally {
    directory.release();
  }
}

test("whatever bit flips in a file of a host, the other session is listed", async () => {
  const original = await leftState();
  const copy = join(temporaryDirectory(), "copy");
  const names = filesBelow(original).filter((file) => !/\/host\.(sock|lock|log)$/.test(file));
  // The first start notes who was lost.
  await listed(original);

  for (const name of names.map((file) => file.slice(original.length))) {
    for (let flip = 0; flip < FLIPS; flip += 1) {
      rmSync(copy, { recursive: true, force: true });
      cpSync(original, copy, { recursive: true, filter: (source) => !source.endsWith("host.sock") });
      const bytes = readFileSync(join(copy, name));
      const bit = Math.floor(Math.random() * bytes.length * 8);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(join(copy, name), bytes);

      const found = await listed(copy);

      const other = name.includes("/1-") ? "running" : "ended";
      expect(
        found.map((session) => session.name),
        `${name}, bit ${bit}`,
      ).toContain(other);
    }
  }
}, 600_000);

test("limpet ls names a session whose record is damaged, and lists the others", async () => {
  await using cli = openCli();
  await cli.limpet(["start", "--name", "good", "sleep 1000"]);
  await cli.limpet(["start", "--name", "bad", "sleep 1000"]);
  await cli.limpet(["host", "stop"]);
  const sessions = join(cli.env["LIMPET_HOME"] ?? "", "sessions");
  const bad = readdirSync(sessions).find((name) => name.startsWith("2-")) ?? "";
  const record = join(sessions, bad, "session.json");
  writeFileSync(record, readFileSync(record, "utf8").replace(/"rows":\d+/, '"rows":1e9'));

  const { code, stdout, stderr } = await cli.limpet(["ls", "--ended"]);

  expect(code).toBe(0);
  expect(stdout).toContain("good");
  expect(stdout).not.toContain("bad");
  expect(stderr).toContain(`1 session has a damaged record and cannot be listed: ${bad}.`);
});
