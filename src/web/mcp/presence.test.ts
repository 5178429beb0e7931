import { expect, test } from "vitest";
import { Presence } from "./presence.ts";

const MINUTE_MS = 60_000;

function presence() {
  const clock = { nowMs: 0 };
  return { clock, presence: new Presence(() => clock.nowMs) };
}

test("a client that kept a stream open is absent as soon as the stream ends", async () => {
  const { presence: client } = presence();

  const during = await client.during(true, async () => client.isAbsent);

  expect([during, client.isAbsent]).toEqual([false, true]);
});

test("a client without a stream is absent after five minutes of silence", async () => {
  const { clock, presence: client } = presence();

  clock.nowMs = 10 * MINUTE_MS;
  await client.during(false, async () => undefined);
  clock.nowMs = 15 * MINUTE_MS;
  expect([client.isAbsent, client.silentMs]).toEqual([false, 5 * MINUTE_MS]);
  clock.nowMs += 1;

  expect(client.isAbsent).toBe(true);
});

test("a call that is under way is no silence, however long it takes", async () => {
  const { clock, presence: client } = presence();

  const seen = await client.during(false, async () => {
    clock.nowMs = 60 * MINUTE_MS;
    return [client.isAbsent, client.silentMs];
  });

  expect(seen).toEqual([false, 0]);
});
