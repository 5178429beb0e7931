import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeCounts, readCount, type SessionCount } from "./session-count.ts";

const count = (running: number, starting = 0): SessionCount => ({ running, starting });

test("one more session is free, contended by other starts, or too many", () => {
  expect(judgeCounts(3, [count(1, 1), count(1)])).toBe("free");
  expect(judgeCounts(3, [count(1, 1), count(1, 1)])).toBe("contended");
  expect(judgeCounts(3, [count(1, 1), count(2)])).toBe("full");
  expect(judgeCounts(0, [count(0, 1)])).toBe("full");
});

test("hosts that ask at the same time never start more than the quota together, in whatever order they read", () => {
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 });
  fc.assert(
    fc.property(fc.nat(6), fc.array(fc.nat(5), { minLength: 6, maxLength: 6 }), order, (most, delays, hosts) => {
      const stored = new Map<number, SessionCount>();
      let admitted = 0;
      // Each host stores its wish, and reads later, when others may have stored theirs.
      const steps = hosts
        .flatMap((host, at) => [
          { at: at * 2, host, kind: "store" as const },
          { at: at * 2 + 1 + (delays[host] ?? 0) * 2, host, kind: "read" as const },
        ])
        .sort((one, other) => one.at - other.at);
      for (const { host, kind } of steps) {
        if (kind === "store") stored.set(host, count(0, 1));
        else if (judgeCounts(most, [...stored.values()]) === "free") {
          stored.set(host, count(1));
          admitted += 1;
        } else stored.delete(host);
      }

      expect(admitted).toBeLessThanOrEqual(most);
    }),
  );
});

test("what a host has not written as numbers counts as nothing", () => {
  const entry = (text: string) => ({ key: "x.y", revision: 1, value: Buffer.from(text) });

  expect(readCount(entry('{"running": 2, "starting": 1}'))).toEqual(count(2, 1));
  for (const text of ["", "[]", '{"running": -4, "starting": "7"}']) expect(readCount(entry(text))).toEqual(count(0));
});
