import { expect, test } from "vitest";
import { Changes } from "../../journal/changes.ts";
import { nextCheckMs, PortWatch } from "./port-watch.ts";

test("checks follow each other closely at first, then a tenth of the time apart, at most a second", () => {
  expect([0, 100, 200, 1_000, 5_000, 10_000, 1e9].map(nextCheckMs)).toEqual([20, 20, 20, 100, 500, 1_000, 1_000]);
});

const port = (number: number) => ({ port: number, address: "::", pid: 1 });

test("only the requested port is found, and a change is announced", async () => {
  const changes = new Changes();
  let ports = [port(80)];
  const watch = new PortWatch({ changes, listening: async () => ports }, 8080);
  const announced = changes.next();
  ports = [port(80), port(8080)];

  await announced;

  expect(watch.found).toEqual(port(8080));
});

test("any port is found if any was requested", async () => {
  const changes = new Changes();
  const watch = new PortWatch({ changes, listening: async () => [port(81), port(82)] }, "any");

  await changes.next();

  expect(watch.found).toEqual(port(81));
});

test("a stopped watch finds nothing more", async () => {
  const changes = new Changes();
  const watch = new PortWatch({ changes, listening: async () => [port(80)] }, 80);
  watch.stop();

  await changes.next({ atMs: performance.now() + 50 });

  expect(watch.found).toBeUndefined();
});
