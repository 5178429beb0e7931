/** @own-process It blocks threads of Node's pool, and needs those that are left. */
import { expect, test } from "vitest";
import { SessionRegistry } from "../../../src/session/registry/session-registry.ts";
import type { Session } from "../../../src/session/session.ts";
import { onDisk } from "../../support/host/holdings.ts";
import { blockDisk } from "../../support/host/hung-disk.ts";
import { takeAll, until } from "../../support/sessions.ts";
import { LONG_MS, open, temporaryDirectory, waitForInput } from "../../support/watching.ts";

const PRINTS_MORE = "echo hello; read -r; seq 40000; echo tulip; read -r";

/** Far more is printed than memory keeps, and none of it reaches the disk. */
async function openOnHungDisk(): Promise<Session> {
  const directory = temporaryDirectory();
  const session = await open({ command: PRINTS_MORE, journalBytes: 64 * 1024, stateDirectory: directory });
  await waitForInput(session);
  await blockDisk(directory);
  await session.write("\n");
  await session.wait({ until: /tulip/, from: session.endCursor, onInput: false, deadlineMs: LONG_MS });
  return session;
}

test("with a disk that hangs, a session is read, closed and discarded", async () => {
  const session = await openOnHungDisk();

  const { text } = await session.text({ maxTokens: 1_000 });
  const { bytes, dropped } = await takeAll(session);

  expect(text).toContain("tulip");
  expect(session.journalHealth).toMatchObject({ kind: "degraded", reason: "the disk does not answer" });
  // What waits for the disk is still in memory; only the first line may have gone to the file that was taken away.
  expect([bytes.length + dropped, dropped < 100]).toEqual([session.endCursor, true]);
  expect(bytes.toString()).toContain("\n20000\r\n20001\r\n");
  await session.close({ force: true });
  await session.discard({ force: true });
});

test("with a disk that hangs, a registry closes all", async () => {
  const directory = temporaryDirectory();
  const registry = new SessionRegistry({ defaults: { stateDirectory: directory } });
  const session = await registry.open({ command: PRINTS_MORE });
  await waitForInput(session);
  await blockDisk(directory);
  await session.write("\n");

  await registry.closeAll({ force: true });

  expect(session.phase).toBe("ended");
});

test("what a disk that hangs does not give is counted as dropped", async () => {
  const directory = temporaryDirectory();
  const session = await open({ command: "seq 20000", journalBytes: 16 * 1024, stateDirectory: directory });
  await session.ended;
  await session.close();
  await until(() => onDisk(directory).bytes >= session.endCursor, "all is on the disk");
  await blockDisk(directory);

  const { bytes, dropped } = await takeAll(session);

  expect([bytes.length, bytes.length + dropped]).toEqual([16 * 1024, session.endCursor]);
});

test("once a disk responds again, health reports its result", async () => {
  const directory = temporaryDirectory();
  const session = await open({ command: PRINTS_MORE, journalBytes: 64 * 1024, stateDirectory: directory });
  await waitForInput(session);
  const block = await blockDisk(directory);
  await session.write("\n");
  await session.wait({ until: /tulip/, from: session.endCursor, onInput: false, deadlineMs: LONG_MS });
  await session.read({ from: 50_000 });
  expect(session.journalHealth).toMatchObject({ kind: "degraded", reason: "the disk does not answer" });

  block.release();

  // The FIFO is taken away under the writer: it fails with EPIPE, or has taken all that waited just before.
  await expect
    .poll(() => session.journalHealth, { timeout: LONG_MS })
    .not.toMatchObject({ reason: "the disk does not answer" });
});
