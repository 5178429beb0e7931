/** Clients and hosts that are killed at any moment: nothing of any session is lost or repeated, and nothing is left running. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { LineSplitter } from "../../../src/base/format/line-splitter.ts";
import { readOutput, startSession } from "../../../src/service/turn/simple-turns.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, pidOf } from "../../support/host/host.ts";
import { skipWithout } from "../../support/needs.ts";
import { pidsWith, uniqueSeconds } from "../../support/processes.ts";
import { isLong, until } from "../../support/sessions.ts";
import { testProgram } from "../../support/watching.ts";

const KILLS = isLong ? 200 : 12;
const HOST_KILLS = isLong ? 200 : 6;
/** A second for each on a machine that is busy with other things, too. */
const LIMIT_MS = isLong ? 900_000 : 120_000;
const plain = { login: false, shell: "/bin/sh" };

/** Lines that are all different, with characters of several bytes. */
const lineOf = (index: number) => `${index} é🎉世 ${"x".repeat(index % 50)}`;
const PRINTER = [
  "import sys,time",
  "i=0",
  "while True:",
  " sys.stdout.write('%d é🎉世 %s\\n' % (i,'x'*(i%50))); i+=1",
  " if i%20==0: sys.stdout.flush(); time.sleep(0.002)",
].join("\n");
const printer = `PYTHONIOENCODING=utf-8 python3 -c "$PRINTER"`;

skipWithout("python3");

/** What so many bytes of the printer's output must be. */
function requireSequence(text: string): void {
  const lines = text.split("\r\n");
  const wrong = lines.slice(0, -1).findIndex((line, index) => line !== lineOf(index));
  expect(wrong, `line ${wrong}: ${JSON.stringify(lines.slice(Math.max(0, wrong - 1), wrong + 2))}`).toBe(-1);
  expect(lineOf(lines.length - 1).startsWith(lines.at(-1)?.replace(/[\r\uFFFD]+$/, "") ?? "")).toBe(true);
}

interface Reading {
  readonly from: number;
  readonly next: number;
  readonly text: string;
  readonly droppedBytes: number;
  readonly receipt?: unknown;
}

/** One life of a reader: what arrived of it before it was killed. */
async function readUntilKilled(args: readonly string[], afterMs: number): Promise<Reading[]> {
  const child: ChildProcess = spawn(process.execPath, [testProgram("reads-from-host.mjs"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => endProcess(child.pid ?? 0));
  const closed = once(child, "close");
  const readings: Reading[] = [];
  const lines = new LineSplitter(64 * 1024 * 1024);
  child.stdout?.on("data", (chunk: Buffer) => {
    // A line that was cut by the kill is none, for there is no end to it.
    for (const line of lines.push(chunk)) if (line.kind === "line") readings.push(JSON.parse(line.text) as Reading);
  });
  await until(() => readings.length > 0, "its first reading");
  await sleep(afterMs);
  child.kill("SIGKILL");
  await closed;
  return readings;
}

test(`a client that is killed ${KILLS} times under load has read each byte once, if it says what it has`, {
  timeout: LIMIT_MS,
}, async () => {
  const directory = hostDirectory();
  const host = hostAt(directory);
  const { id } = await startSession(host, { command: printer, env: { PRINTER }, ...plain });
  let text = "";
  let cursor = 0;
  let receipt: unknown;

  for (let kill = 0; kill < KILLS; kill += 1) {
    const last = receipt === undefined ? [] : [JSON.stringify(receipt)];
    const readings = await readUntilKilled([directory, String(id), ...last], Math.random() * 30);
    for (const { from, next, text: part, droppedBytes, receipt: given } of readings) {
      expect([from, droppedBytes]).toEqual([cursor, 0]);
      text += part;
      cursor = next;
      receipt = given;
    }
  }
  await host.close(id, { force: true });

  expect(cursor).toBeGreaterThan(KILLS * 100);
  expect(Buffer.byteLength(text)).toBe(cursor);
  requireSequence(text);
});

test(`a client that is killed and says nothing misses nothing; only what it had not confirmed is given again`, {
  timeout: LIMIT_MS,
}, async () => {
  const directory = hostDirectory();
  const host = hostAt(directory);
  const { id } = await startSession(host, { command: printer, env: { PRINTER }, ...plain });
  const bytes: Buffer[] = [];
  let cursor = 0;
  let confirmed = 0;

  for (let kill = 0; kill < KILLS; kill += 1) {
    const readings = await readUntilKilled([directory, String(id)], Math.random() * 30);
    for (const [index, reading] of readings.entries()) {
      // In one life nothing is given twice; in the next, at most the last reading of the one before, or what died on its way.
      expect(index > 0 ? [cursor] : [cursor, confirmed]).toContain(reading.from);
      bytes.push(Buffer.from(reading.text).subarray(cursor - reading.from));
      confirmed = reading.from;
      cursor = Math.max(cursor, reading.next);
    }
  }
  await host.close(id, { force: true });

  const text = Buffer.concat(bytes).toString("utf8");
  expect(Buffer.byteLength(text)).toBe(cursor);
  requireSequence(text);
});

test(`after ${HOST_KILLS} kills of the host every journal is readable, and nothing is left running`, {
  timeout: LIMIT_MS,
}, async () => {
  const directory = hostDirectory();
  const client = hostAt(directory);
  const seconds = uniqueSeconds();
  const stubborn = `trap '' HUP TERM INT; (setsid nohup sleep ${seconds} >/dev/null 2>&1 &); while :; do sleep ${seconds}; done`;
  const lastIds: number[] = [];

  for (let kill = 0; kill < HOST_KILLS; kill += 1) {
    const started = [
      await startSession(client, { command: printer, env: { PRINTER }, ...plain }),
      await startSession(client, { command: stubborn, ...plain }),
      await startSession(client, { command: "echo short; exit 3", ...plain }),
    ].map(({ id }) => id);
    expect(Math.min(...started)).toBeGreaterThan(lastIds.at(-1) ?? 0);
    lastIds.push(Math.max(...started));
    const pid = await pidOf(client);
    await sleep(Math.random() * 150);
    endProcess(pid);
    await until(async () => (await client.running().catch(() => ["dying"])).length === 0, "it is gone");

    const former = await client.list({ ended: true });
    const of = (index: number) => former.find(({ id }) => id === started[index]);

    expect(pidsWith(seconds)).toEqual([]);
    expect(of(0)).toMatchObject({ lost: true, exit: { kind: "lost" } });
    expect(of(1)).toMatchObject({ lost: true });
    // Killed in time, the host has not seen its end.
    const seen = { lost: false, exit: { kind: "code", code: 3 }, outputBytes: 7 };
    expect(of(2)).toMatchObject(of(2)?.lost ? { lost: true } : seen);
    const { text, next, droppedBytes } = await readOutput(client, started[0] ?? 0, {
      kind: "text",
      raw: true,
      maxTokens: 10_000_000,
    });
    expect([next, droppedBytes]).toEqual([of(0)?.outputBytes, 0]);
    requireSequence(text);
  }

  const all = await client.list({ ended: true });
  expect(all.length).toBe(Math.min(256, 3 * HOST_KILLS));
  expect(pidsWith(seconds)).toEqual([]);
});
