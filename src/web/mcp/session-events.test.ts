import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { SessionEvents } from "./session-events.ts";

function events() {
  const clock = { nowMs: 0 };
  const dropped: unknown[] = [];
  const answered: unknown[] = [];
  const store = new SessionEvents({
    nowMs: () => clock.nowMs,
    onStored: () => undefined,
    onAnswer: (id) => answered.push(id),
    onDropped: (id) => dropped.push(id),
  });
  const replay = async (lastId: string) => {
    const sent: JSONRPCMessage[] = [];
    await store.replayEventsAfter(lastId, { send: async (_, message) => void sent.push(message) });
    return sent;
  };
  return { store, clock, dropped, answered, replay };
}

function note(data: string): JSONRPCMessage {
  return { jsonrpc: "2.0", method: "notifications/message", params: { data } };
}

function result(id: number, text = ""): JSONRPCMessage {
  return { jsonrpc: "2.0", id, result: { text } };
}

test("what follows an event is given again, of its own stream only", async () => {
  const { store, replay, answered } = events();
  const first = await store.storeEvent("one", note("a"));
  await store.storeEvent("two", note("b"));
  await store.storeEvent("one", note("c"));
  await store.storeEvent("one", result(7));

  expect(await replay(first)).toEqual([note("c"), result(7)]);
  expect(await store.getStreamIdForEventId(first)).toBe("one");
  expect([answered, store.answeredOn("one"), store.answeredOn("two")]).toEqual([[7], 7, undefined]);
});

test("ids that were never given out are unknown", async () => {
  const { store } = events();
  await store.storeEvent("one", note("a"));

  const found = await Promise.all(["", "1", "1-two", "x-one", "-1-one"].map((id) => store.getStreamIdForEventId(id)));

  expect(found).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test("old answers are dropped and reported: by age, by size and by number, but never the newest", async () => {
  const { store, clock, dropped } = events();
  await store.storeEvent("one", result(1));
  clock.nowMs = 11 * 60_000;
  await store.storeEvent("two", result(2, "x".repeat(3 * 1024 * 1024)));
  expect(dropped).toEqual([1]);
  await store.storeEvent("three", result(3, "x".repeat(8 * 1024 * 1024)));
  expect(dropped).toEqual([1, 2]);
  expect(store.hasAnswer(3)).toBe(true);
  for (let count = 0; count < 1_025; count += 1) await store.storeEvent("four", note("."));

  expect(dropped).toEqual([1, 2, 3]);
  expect(store.after(0, "four")).toHaveLength(1_024);
});
