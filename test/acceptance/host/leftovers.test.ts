/**
 * What a host that was killed has left running, where there are no control groups: the next one finds it by mark, or by pid and
 * start time together, and leaves alone who has only the pid.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import { killLeftovers } from "../../../src/host/state/kill-leftovers.ts";
import { readRecords, type SessionRecord } from "../../../src/host/state/session-record.ts";
import { readProcess } from "../../../src/linux/processes/processes.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostDirectory, pidOf } from "../../support/host/host.ts";
import { MAIN } from "../../support/mcp.ts";
import { needs } from "../../support/needs.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { until } from "../../support/sessions.ts";

const plain = { login: false, shell: "/bin/sh" };
/** A host that sees no control groups: nothing of its kind is mounted where it looks. */
const WITHOUT_GROUPS = `awk '$0 ~ / - cgroup2 / { print $5 }' /proc/self/mountinfo | xargs -r umount -l && exec "$@"`;

/** Deaf to everything but SIGKILL, with somebody in its session whose environment is empty. */
const stubborn = (seconds: string) => `trap '' HUP TERM INT; env -i sleep ${seconds} & env -i sleep ${seconds}; :`;

/** In a session of its own, like the program of a session of ours. */
function startStranger(seconds: string): ChildProcess {
  const child = spawn("/bin/sh", ["-c", stubborn(seconds)], { detached: true, stdio: "ignore" });
  onTestFinished(() => {
    for (const pid of pidsWith(seconds)) endProcess(pid);
  });
  return child;
}

async function recordOf(seconds: string, { pid = 0 }: ChildProcess): Promise<SessionRecord> {
  // By their names: before that, they are processes of sh and of env.
  const sleeping = () => pidsWith(seconds).filter((each) => readProcess(each)?.name === "sleep");
  await until(() => sleeping().length === 2, "it runs");
  const startTime = readProcess(pid)?.startTime ?? "";
  return { mark: "nobody bears this", trace: { pid, startTime, group: undefined } } as SessionRecord;
}

test("a program with the pid and the start time of a session's is ended, and all in its session", async () => {
  const seconds = uniqueSeconds();
  const record = await recordOf(seconds, startStranger(seconds));

  const found = await killLeftovers([record]);

  expect(found.map(({ name }) => name).sort()).toEqual(["sh", "sleep", "sleep"]);
  expect(pidsWith(seconds)).toEqual([]);
});

test("one that has only the pid is left alone, and all in its session", async () => {
  const seconds = uniqueSeconds();
  const { trace, ...record } = await recordOf(seconds, startStranger(seconds));
  const before = pidsWith(seconds);
  const earlier = { pid: trace?.pid ?? 0, startTime: String(Number(trace?.startTime) - 1), group: undefined };

  const found = await killLeftovers([{ ...record, trace: earlier }]);

  expect(found).toEqual([]);
  expect(pidsWith(seconds)).toEqual(before);
});

test.runIf(needs("root"))(
  "without control groups, the next host ends what a killed one left, and no stranger",
  async () => {
    const directory = hostDirectory();
    const command = ["unshare", "-m", "sh", "-c", WITHOUT_GROUPS, "sh", process.execPath, MAIN] as const;
    const client = connectHost({ stateDirectory: directory, command });
    onTestFinished(() => client.disconnect());
    const [ours, others] = [uniqueSeconds(), uniqueSeconds()];
    onTestFinished(() => {
      for (const pid of pidsWith(others)) endProcess(pid);
    });
    const setsid = `(setsid nohup sleep ${ours} >/dev/null 2>&1 &)`;
    const { id } = await startSession(client, { command: `${setsid}; ${stubborn(ours)}`, ...plain });
    const { id: taken } = await startSession(client, { command: stubborn(others), ...plain });
    await until(() => pidsWith(`sleep\0${ours}`).length === 3 && pidsWith(`sleep\0${others}`).length === 2, "all run");
    await until(() => readRecords(join(directory, "sessions")).records.length === 2, "both have a record");
    expect(readRecords(join(directory, "sessions")).records.map(({ record }) => record.trace?.group)).toEqual([
      undefined,
      undefined,
    ]);

    endProcess(await pidOf(client));
    await until(async () => (await client.running().catch(() => ["dying"])).length === 0, "it is gone");
    // As if the session had ended long before, and its pid were somebody else's by now.
    const [record] = readRecords(join(directory, "sessions")).records.filter((found) => found.record.id === taken);
    const path = join(record?.directory ?? "", "session.json");
    const text = readFileSync(path, "utf8");
    const { trace, mark } = JSON.parse(text) as SessionRecord;
    writeFileSync(
      path,
      text.replace(`"${trace?.startTime}"`, '"1"').replace(mark, `${mark.slice(0, 8)}${"f".repeat(24)}`),
    );
    const before = pidsWith(others);
    const former = await client.list({ ended: true });

    expect(former).toMatchObject([
      { id, lost: true },
      { id: taken, lost: true },
    ]);
    expect(pidsWith(ours)).toEqual([]);
    expect(pidsWith(others)).toEqual(before);
    expect(before.length).toBeGreaterThan(0);
  },
);
