import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { Changes } from "./changes.ts";

test("one announcement wakes every waiter", async () => {
  const changes = new Changes();
  const waits = [changes.next(), changes.next({ atMs: performance.now() + 60_000 }), changes.next()];

  changes.announce();

  await expect(Promise.all(waits)).resolves.toEqual([undefined, undefined, undefined]);
});

test("an announcement wakes only those who already wait", async () => {
  const changes = new Changes();
  changes.announce();

  const outcome = await Promise.race([
    changes.next().then(() => "woken"),
    new Promise((done) => setImmediate(done, "waits")),
  ]);

  expect(outcome).toBe("waits");
});

test("a time that has come wakes without a timer", async () => {
  await expect(new Changes().next({ atMs: 0 })).resolves.toBeUndefined();
});

test("a future time does not wake early", async () => {
  const atMs = performance.now() + 30;

  await new Changes().next({ atMs });

  expect(performance.now()).toBeGreaterThanOrEqual(atMs - 1);
});

test("an abort rejects with the signal's reason, before and during the wait", async () => {
  const reason = new Error("enough");
  const control = new AbortController();
  const during = new Changes().next({ signal: control.signal, atMs: performance.now() + 60_000 });
  control.abort(reason);

  await expect(during).rejects.toBe(reason);
  await expect(new Changes().next({ signal: control.signal })).rejects.toBe(reason);
});

test("any number of waits may share one signal without a leak warning", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const changes = new Changes();
  const { signal } = new AbortController();
  const waits = Array.from({ length: 30 }, () => changes.next({ signal }));

  changes.announce();
  await Promise.all(waits);
  // Node emits warnings in a later turn.
  await new Promise((done) => setImmediate(done));

  expect(warnings).toEqual([]);
});

test("an hour of timed-out waits keeps none of them in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const changes = new Changes();
  const waitOften = async (times: number) => {
    for (let count = 0; count < times; count += 1) await changes.next({ atMs: 0 });
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await waitOften(1_000);

  const after = await waitOften(20_000);

  expect(after - before).toBeLessThan(1_000_000);
});
