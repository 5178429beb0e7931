import { expect, test } from "vitest";
import { LocalService } from "../../../service/local-service.ts";
import { startSession, waitForSession } from "../../../service/turn/simple-turns.ts";
import { SessionRegistry } from "../../../session/registry/session-registry.ts";
import type { Message } from "../read-message.ts";
import { SessionNotifications } from "./session-notifications.ts";

function setLevel(level: string): Message {
  return { jsonrpc: "2.0", id: 1, method: "logging/setLevel", params: { level } } as Message;
}

function open() {
  const registry = new SessionRegistry();
  const sessions = new LocalService(registry);
  const sent: string[] = [];
  const notifications = new SessionNotifications({ sessions, notify: (text) => sent.push(text) });
  return {
    sessions,
    notifications,
    sent,
    async [Symbol.asyncDispose]() {
      notifications.close();
      await registry.closeAll({ force: true });
    },
  };
}

test("each wait for input and the end of a session are reported once", async () => {
  await using client = open();
  const command = "read -rs secret; echo; read -r line; exit 4";
  const { id } = await startSession(client.sessions, { command, shell: "/bin/bash", name: "asks" });
  client.notifications.note(setLevel("info"));

  await expect.poll(() => client.sent).toEqual([`Session ${id} (asks) waits for input: password.`]);
  await client.sessions.write(id, "x\n");
  await expect.poll(() => client.sent.slice(1)).toEqual([`Session ${id} (asks) waits for input: line.`]);
  await client.sessions.write(id, "x\n");
  await expect.poll(() => client.sent.slice(2)).toEqual([`Session ${id} (asks) exited with code 4.`]);
});

test("input that a call waits for is reported only by its answer", async () => {
  await using client = open();
  client.notifications.note(setLevel("notice"));
  const { id } = await startSession(client.sessions, { command: "read -r line; exit 5", shell: "/bin/bash" });

  await client.notifications.during(
    (async () => {
      await client.notifications.watchNew();
      await waitForSession(client.sessions, { keys: [id] });
      await client.sessions.write(id, "x\n");
      await expect.poll(() => client.sent).toEqual([`Session ${id} exited with code 5.`]);
    })(),
  );
});

test.each(["warning", "error", "nonsense"])("a client with the level %s receives no messages", async (level) => {
  await using client = open();
  client.notifications.note(setLevel(level));
  const { id } = await startSession(client.sessions, { command: "exit 6", shell: "/bin/bash" });
  await client.notifications.watchNew();
  await waitForSession(client.sessions, { keys: [id], onInput: false });

  expect(client.sent).toEqual([]);
});
