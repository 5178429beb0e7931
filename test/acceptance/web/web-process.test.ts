/** The web server as a process: its lock, its socket for the command line, and when it ends. */
import { statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WEB_IDLE_MS } from "../../../src/base/web-limits.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { askWeb } from "../../../src/web/process/ask-web.ts";
import type { WebStatus } from "../../../src/web/process/control-protocol.ts";
import { runWeb } from "../../../src/web/process/run-web.ts";
import { handAlarm } from "../../support/hand-alarm.ts";
import { hostAt, hostDirectory } from "../../support/host/host.ts";
import { codeOf, until } from "../../support/sessions.ts";
import { LONG_MS } from "../../support/watching.ts";

async function runForTest(stateDirectory: string) {
  const end = new AbortController();
  const { alarm, pass } = handAlarm();
  let isOver = false;
  let status: WebStatus | undefined;
  const running = runWeb({
    stateDirectory,
    where: { kind: "loopback", port: 0 },
    places: {},
    alarm,
    signal: end.signal,
    onListening: (found) => {
      status = found;
    },
    onProblem: () => undefined,
  }).finally(() => {
    isOver = true;
  });
  onTestFinished(async () => {
    end.abort();
    await running.catch(() => undefined);
  });
  await until(() => status !== undefined || isOver, "it listens");
  return { running, pass, end, isOver: () => isOver, status };
}

test("it ends when nobody has used it for an hour and no session runs", async () => {
  const directory = hostDirectory();
  const { running, pass, isOver } = await runForTest(directory);
  await pass(WEB_IDLE_MS - 1);
  await askWeb(directory, { method: "status" });
  await pass(WEB_IDLE_MS - 1);
  expect(isOver()).toBe(false);

  await pass(1);
  await running;
  expect(await askWeb(directory, { method: "status" })).toBeUndefined();
});

test("it stays while a session runs", async () => {
  const directory = hostDirectory();
  const host = hostAt(directory);
  const { id } = await startSession(host, { command: "sleep 600" }, "agent");
  const { running, pass, isOver } = await runForTest(directory);
  for (let hours = 0; hours < 3; hours += 1) {
    await pass(WEB_IDLE_MS);
    await askWeb(directory, { method: "status" });
  }
  expect(isOver()).toBe(false);

  await host.close(id, { force: true });
  await until(
    async () => {
      await pass(WEB_IDLE_MS);
      return isOver();
    },
    "it ends after the session",
    LONG_MS,
  );
  await running;
  host.disconnect();
});

test("a second one in the same directory is refused, and the first one goes on", async () => {
  const directory = hostDirectory();
  const { status } = await runForTest(directory);
  const second = runWeb({
    stateDirectory: directory,
    where: { kind: "loopback", port: 0 },
    places: {},
    signal: new AbortController().signal,
    onProblem: () => undefined,
  });

  expect(await codeOf(second)).toBe("WEB_RUNNING");
  expect(await askWeb(directory, { method: "status" })).toMatchObject({ base: status?.base });
});

test.each([
  "nonsense",
  "[]",
  '{"method":"nonsense"}',
  '{"method":"share","session":7,"right":"view","forMs":1}',
  '{"method":"share","session":"7","right":"admin","forMs":1}',
  '{"method":"share","session":"7","right":"view","forMs":-1}',
  '{"method":"link"}',
  '{"method":"revoke","id":"1","more":true}',
  `{"method":"revoke","id":"${"1".repeat(300_000)}"}`,
])("the control socket rejects %.60s", async (line) => {
  const directory = hostDirectory();
  await runForTest(directory);
  const path = join(directory, "web.sock");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const answer = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(path, () => socket.write(`${line}\n`));
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });

  expect(JSON.parse(answer)).toMatchObject({ error: { code: "BAD_REQUEST" } });
  expect(await askWeb(directory, { method: "status" })).toBeDefined();
});

test("a damaged file of tokens lets nobody in, and strangers do not learn where it is", async () => {
  const directory = hostDirectory();
  const { status } = await runForTest(directory);
  writeFileSync(join(directory, "tokens.json"), "{", { mode: 0o600 });
  const answer = await fetch(`${status?.base.replace(/\/\/[^:]+/, "//127.0.0.1")}/api/me`, {
    headers: { Authorization: "Bearer limpet_x" },
  });

  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).toContain("SERVER_FAILED");
  expect(text).not.toContain(directory);
});
