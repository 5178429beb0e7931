import { expect, test } from "vitest";
import { LocalService } from "../../service/local-service.ts";
import { startSession, waitForSession } from "../../service/simple-turns.ts";
import { SessionRegistry } from "../../session/session-registry.ts";
import type { Message } from "./read-message.ts";
import { SessionNews } from "./session-news.ts";

function setLevel(level: string): Message {
  return { jsonrpc: "2.0", id: 1, method: "logging/setLevel", params: { level } } as Message;
}

function open() {
  const registry = new SessionRegistry();
  const sessions = new LocalService(registry);
  const told: string[] = [];
  const news = new SessionNews({ sessions, tell: (text) => told.push(text) });
  return {
    sessions,
    news,
    told,
    async [Symbol.asyncDispose]() {
      news.close();
      await registry.closeAll({ force: true });
    },
  };
}

test("a session that begins to wait for input, and one that ends, is told once", async () => {
  await using desk = open();
  const command = "read -rs secret; echo; read -r line; exit 4";
  const { id } = await startSession(desk.sessions, { command, shell: "/bin/bash", name: "asks" });
  desk.news.note(setLevel("info"));

  await expect.poll(() => desk.told).toEqual([`Session ${id} (asks) waits for input: password.`]);
  await desk.sessions.write(id, "x\n");
  await expect.poll(() => desk.told.slice(1)).toEqual([`Session ${id} (asks) waits for input: line.`]);
  await desk.sessions.write(id, "x\n");
  await expect.poll(() => desk.told.slice(2)).toEqual([`Session ${id} (asks) exited with code 4.`]);
});

test("what a call waits for is told by its answer alone", async () => {
  await using desk = open();
  desk.news.note(setLevel("notice"));
  const { id } = await startSession(desk.sessions, { command: "read -r line; exit 5", shell: "/bin/bash" });

  await desk.news.during(
    (async () => {
      await desk.news.look();
      await waitForSession(desk.sessions, { keys: [id] });
      await desk.sessions.write(id, "x\n");
      await expect.poll(() => desk.told).toEqual([`Session ${id} exited with code 5.`]);
    })(),
  );
});

test.each(["warning", "error", "nonsense"])("a client that asks for level %s is told nothing", async (level) => {
  await using desk = open();
  desk.news.note(setLevel(level));
  const { id } = await startSession(desk.sessions, { command: "exit 6", shell: "/bin/bash" });
  await desk.news.look();
  await waitForSession(desk.sessions, { keys: [id], onInput: false });

  expect(desk.told).toEqual([]);
});
