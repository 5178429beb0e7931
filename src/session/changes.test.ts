import { expect, test } from "vitest";
import { Changes } from "./changes.ts";

test("one announcement wakes all who wait", async () => {
  const changes = new Changes();
  const waiting = [changes.next(), changes.next(), changes.next({ signal: new AbortController().signal })];

  changes.announce();

  await expect(Promise.all(waiting)).resolves.toHaveLength(3);
});

test("an announcement that nobody waited for wakes nobody later", async () => {
  const changes = new Changes();
  changes.announce();
  let isAwake = false;
  const waiting = changes.next().then(() => {
    isAwake = true;
  });

  await Promise.resolve();
  expect(isAwake).toBe(false);
  changes.announce();
  await waiting;
  expect(isAwake).toBe(true);
});

test("an abort rejects with its reason and leaves the others waiting", async () => {
  const changes = new Changes();
  const abort = new AbortController();
  const aborted = changes.next({ signal: abort.signal });
  const other = changes.next();

  abort.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  changes.announce();
  await other;

  await expect(changes.next({ signal: abort.signal })).rejects.toThrow("enough");
});
