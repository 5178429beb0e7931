import fc from "fast-check";
import { expect, test } from "vitest";
import type { KnownHost } from "../lease/known-host.ts";
import type { Bid } from "./bid.ts";
import { candidates, chooseAsked, MAX_ASKED } from "./choose-asked.ts";
import { chooseBid } from "./choose-bid.ts";
import { parseLabelExpression } from "./parse-label-expression.ts";

const bid = (host: string, more: Partial<Bid> = {}): Bid => ({
  host,
  epoch: 1,
  sessions: 0,
  free: 10,
  load: 0,
  hasImage: true,
  hasWorkspace: true,
  ...more,
});

const bids = fc.uniqueArray(
  fc.record({
    host: fc.string({ minLength: 1 }),
    epoch: fc.nat(9),
    sessions: fc.nat(20),
    free: fc.nat(20),
    load: fc.double({ min: 0, max: 4, noNaN: true }),
    hasImage: fc.boolean(),
    hasWorkspace: fc.boolean(),
  }),
  { selector: ({ host }) => host, maxLength: 20 },
);

test("the same bids and the same request give the same host, in whatever order the bids arrive", () => {
  fc.assert(
    fc.property(bids, fc.string(), fc.infiniteStream(fc.nat()), (all, requestId, ranks) => {
      const shuffled = all
        .map((one) => ({ one, rank: ranks.next().value }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ one }) => one);

      expect(chooseBid(shuffled, { requestId })).toEqual(chooseBid(all, { requestId }));
    }),
  );
});

test("a host without room is never chosen, and one with room always is if there is any", () => {
  fc.assert(
    fc.property(bids, fc.string(), (all, requestId) => {
      const chosen = chooseBid(all, { requestId });
      const hasRoom = all.some(({ free }) => free > 0);

      expect(chosen !== undefined && chosen.free > 0).toBe(hasRoom);
    }),
  );
});

test("a host with the workspace wins over one with the image, and that over an empty one", () => {
  const none = bid("none", { hasImage: false, hasWorkspace: false });
  const image = bid("image", { hasWorkspace: false, sessions: 10 });
  const workspace = bid("workspace", { hasImage: false, sessions: 20 });

  for (let round = 0; round < 20; round += 1) {
    const requestId = `r${round}`;
    expect(chooseBid([none, image, workspace], { requestId })?.host).toBe("workspace");
    expect(chooseBid([none, image], { requestId })?.host).toBe("image");
  }
});

test("a host that is three quarters full, or whose processors are busy, is not preferred for what it has", () => {
  const full = bid("full", { sessions: 31 });
  const busy = bid("busy", { load: 1.2 });
  const empty = bid("empty", { hasImage: false, hasWorkspace: false });

  expect(chooseBid([full, busy, empty], { requestId: "r" })?.host).toBe("empty");
  expect(chooseBid([busy], { requestId: "r" })?.host).toBe("busy");
});

test("what this door has placed counts before the hosts count it", () => {
  const all = [bid("a", { free: 2 }), bid("b", { free: 2, sessions: 2 })];

  expect(chooseBid(all, { requestId: "r" })?.host).toBe("a");
  expect(chooseBid(all, { requestId: "r", recent: new Map([["a", 2]]) })?.host).toBe("b");
});

test("a host that has room is never taken for full, however much this door has placed there", () => {
  const recent = new Map([["a", 300]]);

  expect(chooseBid([bid("a", { free: 2 })], { requestId: "r", recent })?.host).toBe("a");
  expect(chooseBid([bid("a", { free: 0 })], { requestId: "r" })).toBeUndefined();
});

test.each([
  { hosts: 3, atOnce: 1 },
  { hosts: 8, atOnce: 4 },
  { hosts: 20, atOnce: 10 },
  { hosts: 100, atOnce: 10 },
])("50 starts per host are spread over $hosts hosts within 10 %, $atOnce decided at once", ({ hosts, atOnce }) => {
  const capacity = 256;
  const running = new Map(Array.from({ length: hosts }, (_, index) => [`host-${index}`, 0]));
  const bidNow = () => [...running].map(([host, count]) => bid(host, { free: capacity - count, sessions: count }));

  let seen = bidNow();
  for (let start = 0; start < 50 * hosts; start += 1) {
    if (start % atOnce === 0) seen = bidNow();
    const chosen = chooseBid(seen, { requestId: `start-${start}` })?.host ?? "";
    running.set(chosen, (running.get(chosen) ?? 0) + 1);
  }

  expect(Math.max(...running.values())).toBeLessThanOrEqual(55);
  expect(Math.min(...running.values())).toBeGreaterThanOrEqual(45);
});

const host = (name: string, more: Partial<KnownHost> = {}): KnownHost => ({
  name,
  epoch: 1,
  state: "up",
  labels: ["gpu"],
  free: 1,
  sessions: 0,
  ageMs: 0,
  ...more,
});

test("hosts that match, are up and have room are candidates, in the same order at every door", () => {
  const hosts = [
    host("z"),
    host("full", { free: 0 }),
    host("drains", { state: "draining" }),
    host("cordoned", { state: "cordoned" }),
    host("gone", { state: "unreachable" }),
    host("other", { labels: ["cpu"] }),
    host("a"),
  ];

  const found = candidates(hosts, parseLabelExpression("gpu"));

  expect(found.map(({ name }) => name)).toEqual(["a", "z"]);
  expect(candidates(hosts, undefined).map(({ name }) => name)).toEqual(["a", "other", "z"]);
});

test("a few hosts of a large fleet are asked, each different, and all of them equally often", () => {
  const hosts = candidates(
    Array.from({ length: 100 }, (_, index) => host(`h${index}`)),
    undefined,
  );
  const asked = new Map<string, number>();

  for (let round = 0; round < 10_000; round += 1) {
    const names = chooseAsked(hosts, `request ${round}`).map(({ name }) => name);
    expect(new Set(names).size).toBe(MAX_ASKED);
    for (const name of names) asked.set(name, (asked.get(name) ?? 0) + 1);
  }

  expect(Math.min(...asked.values())).toBeGreaterThan(680);
  expect(Math.max(...asked.values())).toBeLessThan(920);
});
