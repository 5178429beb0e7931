import { expect, onTestFinished, test } from "vitest";
import { deferred } from "./deferred.ts";
import { untilAborted } from "./until-aborted.ts";

test("an abort ends the wait with its reason, and the work continues", async () => {
  const work = deferred<string>();
  const stop = new AbortController();
  const waiting = untilAborted(work.promise, stop.signal);

  stop.abort(new Error("enough"));
  work.resolve("done");

  await expect(waiting).rejects.toThrow("enough");
  await expect(work.promise).resolves.toBe("done");
});

test("20 waits share one signal, and Node does not warn of a leak", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const work = deferred<string>();
  const { signal } = new AbortController();

  const waits = Array.from({ length: 20 }, () => untilAborted(work.promise, signal));
  work.resolve("done");

  expect(new Set(await Promise.all(waits))).toEqual(new Set(["done"]));
  // Node emits a warning in a later tick.
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});
