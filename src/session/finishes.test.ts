import { expect, test } from "vitest";
import { Finishes } from "./finishes.ts";

const finish = (exitCode: number) => ({ exitCode, cwd: "/", end: exitCode });

test("every caller that knows fewer finishes gets the latest, however often it was reported", () => {
  const finishes = new Finishes();
  finishes.add(finish(1));
  const known = finishes.count;
  finishes.add(finish(2));

  expect([finishes.since(0), finishes.since(known), finishes.since(finishes.count)]).toEqual([
    finish(2),
    finish(2),
    undefined,
  ]);
});

test("a query makes the shell ready and does not count as a finish", () => {
  const finishes = new Finishes();
  finishes.start();
  finishes.ready();

  expect({ isBetween: finishes.isBetween, count: finishes.count }).toEqual({ isBetween: true, count: 0 });
});
