/** The connection to a host is cut while output is read: every number that a program prints is read once, in order. */
import { test } from "vitest";
import { cutProxy } from "../../support/host/cut-proxy.ts";
import { acknowledged, cutOften, openScene, UNREAD } from "../../support/host/cut-scene.ts";
import { NumberReader, startNumbers } from "../../support/host/number-reader.ts";

test("numbers that a program prints without end are read once each, in order, over all cuts", async () => {
  const scene = await openScene(4);
  const reader = new NumberReader(scene.proxy.client, await startNumbers(scene.direct));

  await cutOften(scene, async () => await reader.read());

  await reader.finish(scene.direct);
});

test("answers that are given back are read again by the next turn, over all cuts", async () => {
  const scene = await openScene(5);
  const { random, proxy } = scene;
  const reader = new NumberReader(proxy.client, await startNumbers(scene.direct));

  await cutOften(scene, async () => {
    if (random.below(2) === 0) await reader.read();
    else await reader.readAndGiveBack(() => proxy.plan(random.cuts()));
  });

  await reader.finish(scene.direct);
});

test("what a cancelled turn would have answered is read by the next one, wherever the cancel and the cut meet", async () => {
  const scene = await openScene(6);
  const { random, proxy } = scene;
  const reader = new NumberReader(proxy.client, await startNumbers(scene.direct));

  await cutOften(scene, async () => await reader.readOrCancel(random.below(30)));

  await reader.finish(scene.direct);
});

test("two clients of the same caller read all output once each, over cuts of both", async () => {
  const scene = await openScene(7);
  const other = await cutProxy(scene.directory);
  const printer = await startNumbers(scene.direct);
  const readers = [new NumberReader(scene.proxy.client, printer), new NumberReader(other.client, printer)];
  // Both are there before the first cut.
  for (const reader of readers) await reader.read();

  await cutOften(scene, async () => {
    other.plan(scene.random.cuts());
    await Promise.all(readers.map((reader) => reader.read()));
  });
  other.plan([]);

  for (const reader of readers) await reader.finish(scene.direct);
});

test("waits on several sessions that are cut off read the output of each once", async () => {
  const scene = await openScene(8);
  const { client } = scene.proxy;
  const printers = [await startNumbers(scene.direct), await startNumbers(scene.direct)];
  const readers = new Map(printers.map((printer) => [printer.id, new NumberReader(client, printer)]));
  const keys = [...readers.keys()];

  await cutOften(scene, async () => {
    const wait = { kind: "output", until: "[05]\\n", onInput: false, deadlineMs: 20_000 } as const;
    const answer = await acknowledged(client, { on: { kind: "several", keys }, wait, read: UNREAD });
    readers.get(answer.session.id)?.take(answer);
  });

  for (const reader of readers.values()) await reader.finish(scene.direct);
});
