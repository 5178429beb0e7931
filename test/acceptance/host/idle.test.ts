/** What a host does with time: it ends by itself when nobody has used it for an hour, and keeps its journals within their bound. */

import { existsSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FORMER_JOURNAL_BYTES } from "../../../src/base/limits.ts";
import { runHost } from "../../../src/host/run-host.ts";
import { readRecords } from "../../../src/host/state/session-record.ts";
import { readOutput, startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { type HandAlarm, handAlarm } from "../../support/hand-alarm.ts";
import { hostAt, hostDirectory } from "../../support/host/host.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { until } from "../../support/sessions.ts";

const HOUR_MS = 3_600_000;
const plain = { login: false, shell: "/bin/sh" };

interface OwnHost {
  readonly directory: string;
  readonly time: HandAlarm;
  hasEnded(): boolean;
  /** New clients find it. */
  listens(): boolean;
}

/** In this process, with a clock of ours. */
async function ownHost(): Promise<OwnHost> {
  const directory = hostDirectory();
  const time = handAlarm();
  const stop = new AbortController();
  let hasEnded = false;
  const host = runHost({ stateDirectory: directory, alarm: time.alarm, signal: stop.signal }).then(() => {
    hasEnded = true;
  });
  onTestFinished(async () => {
    stop.abort();
    await host;
  });
  const listens = () => existsSync(join(directory, "host.sock"));
  await until(listens, "it listens");
  return { directory, time, hasEnded: () => hasEnded, listens };
}

/** What changes the use of the host sets its alarm again. */
async function noticed({ time }: OwnHost, happen: () => unknown): Promise<void> {
  const before = time.timesSet;
  await happen();
  await until(() => time.timesSet > before, "the host has noticed");
}

test("a host that nobody has ever used ends after an hour, and not before", async () => {
  const host = await ownHost();

  await host.time.pass(HOUR_MS - 1);
  expect(host.listens()).toBe(true);
  await host.time.pass(1);

  expect(host.listens()).toBe(false);
  await until(host.hasEnded, "it ends");
});

test("a host stays for a client, however silent that is; an hour after the last one has gone, it ends", async () => {
  const host = await ownHost();
  const client = hostAt(host.directory);
  await noticed(host, () => client.running());
  await host.time.pass(100 * HOUR_MS);
  expect(await client.running()).toEqual([]);

  await noticed(host, () => client.disconnect());
  await host.time.pass(HOUR_MS - 1);
  expect(host.listens()).toBe(true);
  await host.time.pass(1);

  await until(host.hasEnded, "it ends");
});

test("a host stays for a session that nobody looks at; an hour after the last one has ended by itself, it ends", async () => {
  const host = await ownHost();
  const client = hostAt(host.directory);
  const seconds = uniqueSeconds();
  await startSession(client, { command: `exec sleep ${seconds}`, ...plain });
  await noticed(host, () => client.disconnect());
  await host.time.pass(100 * HOUR_MS + 1);
  expect(host.listens()).toBe(true);

  // Long after the time started in which no client connected.
  await host.time.pass(HOUR_MS - 10);
  await noticed(host, () => pidsWith(seconds).forEach((pid) => void process.kill(pid)));
  await host.time.pass(HOUR_MS - 1);
  expect(host.listens()).toBe(true);
  await host.time.pass(1);

  await until(host.hasEnded, "it ends");
});

/** Takes part in the bound like any journal, and no place on the disk. */
function bloat(directory: string, id: number, bytes: number): void {
  const name = readdirSync(join(directory, "sessions")).find((each) => Number.parseInt(each, 10) === id);
  const file = join(directory, "sessions", name ?? "?", "bloat");
  writeFileSync(file, "");
  truncateSync(file, bytes);
}

test("journals of ended sessions are within 1 GiB soon after one more has ended: the oldest make room", async () => {
  const host = await ownHost();
  const client = hostAt(host.directory);
  const start = async (command: string) => (await startSession(client, { command, ...plain })).id;
  const [oldest, running, middle] = [await start("echo oldest"), await start("exec cat"), await start("echo middle")];
  for (const id of [oldest, middle]) await waitForSession(client, { keys: [id] });
  await until(
    () => [oldest, middle].every((id) => isDone(host.directory, id)),
    "their records say that they have ended",
  );
  await until(() => idsOnDisk(host.directory).includes(running), "the one that runs has a record");
  // What belongs to a session that runs counts for nothing.
  bloat(host.directory, running, 2 * FORMER_JOURNAL_BYTES);
  bloat(host.directory, oldest, FORMER_JOURNAL_BYTES / 2);
  bloat(host.directory, middle, FORMER_JOURNAL_BYTES / 2);

  const latest = await start("echo latest");
  await waitForSession(client, { keys: [latest] });
  await until(() => isDone(host.directory, latest), "its record says that it has ended");
  await host.time.pass(60_000);

  const ids = async () => (await client.list({ ended: true })).map(({ id }) => id);
  await until(async () => (await ids()).length === 3, "one has made room");
  expect(await ids()).toEqual([running, middle, latest]);
  expect((await readOutput(client, middle, { kind: "text" })).text).toBe("middle\n");
  await expect.poll(() => idsOnDisk(host.directory)).toEqual([running, middle, latest]);
});

test("a host that finds more than 1 GiB of journals keeps the latest of them", async () => {
  const directory = hostDirectory();
  const former = hostAt(directory);
  const ids: number[] = [];
  for (const word of ["one", "two", "three"])
    ids.push((await startSession(former, { command: `echo ${word}`, ...plain })).id);
  for (const id of ids) await waitForSession(former, { keys: [id] });
  await former.stopHost();
  for (const id of ids) bloat(directory, id, FORMER_JOURNAL_BYTES / 2);

  const client = hostAt(directory);
  const kept = async () => (await client.list({ ended: true })).map(({ id }) => id);
  await until(async () => (await kept()).length === 1, "the oldest have made room");

  expect(await kept()).toEqual(ids.slice(2));
  expect((await readOutput(client, ids[2] ?? 0, { kind: "text" })).text).toBe("three\n");
  await expect.poll(() => idsOnDisk(directory)).toEqual(ids.slice(2));
});

/** The host has done all that it does at the end of a session. */
function isDone(directory: string, id: number): boolean {
  return readRecords(join(directory, "sessions")).records.some(({ record }) => record.id === id && record.end !== null);
}

function idsOnDisk(directory: string): number[] {
  return readRecords(join(directory, "sessions")).records.map(({ record }) => record.id);
}
