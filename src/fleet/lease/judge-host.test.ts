import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeHost, LEASE_MS, LEASE_RENEWAL_MS, type MemberEntry, type SeenLease } from "./judge-host.ts";
import { judgeOwnLease } from "./judge-own-lease.ts";
import { judgeSession } from "./judge-session.ts";

const NOW = 1_000_000;
const lease = (more: Partial<SeenLease> = {}): SeenLease => ({ epoch: 3, duty: "open", seenMs: NOW, ...more });
const member = (more: Partial<MemberEntry> = {}): MemberEntry => ({ epoch: 3, ...more });
const judge = (one: SeenLease | undefined, other: MemberEntry | undefined) =>
  judgeHost({ lease: one, member: other, nowMs: NOW });

test("a host is up until its lease is 15 s old, and then unreachable", () => {
  expect(judge(lease({ seenMs: NOW - LEASE_MS + 1 }), member())).toBe("up");
  expect(judge(lease({ seenMs: NOW - LEASE_MS }), member())).toBe("unreachable");
  expect(judge(undefined, member())).toBe("unreachable");
  expect(judge(lease(), undefined)).toBe("up");
});

test("a host says itself that it takes no sessions", () => {
  expect(judge(lease({ duty: "draining" }), member())).toBe("draining");
  expect(judge(lease({ duty: "cordoned" }), member())).toBe("cordoned");
});

test("a lease of an earlier epoch counts for nothing", () => {
  expect(judge(lease({ epoch: 2 }), member())).toBe("unreachable");
});

test("a host is lost only if an operator gave its epoch up, however long it is silent", () => {
  expect(judge(lease({ seenMs: 0 }), member())).toBe("unreachable");
  expect(judge(undefined, member({ givenUpEpoch: 3 }))).toBe("lost");
  expect(judge(lease(), member({ givenUpEpoch: 3 }))).toBe("lost");
  expect(judge(lease({ epoch: 4 }), member({ givenUpEpoch: 3 }))).toBe("up");
});

test("a session is lost with its epoch", () => {
  const at = (epoch: number, facts: { lease?: SeenLease; member?: MemberEntry }) =>
    judgeSession({ epoch, lease: facts.lease, member: facts.member, nowMs: NOW });

  expect(at(3, { lease: lease(), member: member() })).toBe("reachable");
  expect(at(3, { lease: lease({ duty: "draining" }), member: member() })).toBe("reachable");
  expect(at(3, { member: member() })).toBe("unreachable");
  expect(at(2, { lease: lease(), member: member() })).toBe("lost");
  expect(at(3, { member: member({ givenUpEpoch: 3 }) })).toBe("lost");
  expect(at(4, { lease: lease(), member: member() })).toBe("unreachable");
});

const epochs = fc.integer({ min: 1, max: 4 });
/** What can arrive at a door, in any order: entries of later epochs never go back. */
const arrivals = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("lease" as const), epoch: epochs }),
    fc.record({ kind: fc.constant("member" as const), epoch: epochs }),
    fc.record({ kind: fc.constant("give up" as const), epoch: epochs }),
    fc.record({ kind: fc.constant("expire" as const), epoch: fc.constant(0) }),
  ),
);

test("a session that is lost stays lost, whatever arrives later", () => {
  fc.assert(
    fc.property(arrivals, epochs, (events, epoch) => {
      let known: { lease: SeenLease | undefined; member: MemberEntry } = { lease: undefined, member: { epoch: 1 } };
      let nowMs = NOW;
      const standings = events.map((event) => {
        nowMs += 1_000;
        const { member } = known;
        if (event.kind === "lease") {
          const isOld = event.epoch < Math.max(member.epoch, known.lease?.epoch ?? 0);
          known = { lease: isOld ? known.lease : { epoch: event.epoch, duty: "open", seenMs: nowMs }, member };
        }
        if (event.kind === "member")
          known = { ...known, member: { ...member, epoch: Math.max(member.epoch, event.epoch) } };
        if (event.kind === "give up")
          known = { ...known, member: { ...member, givenUpEpoch: Math.max(member.givenUpEpoch ?? 0, event.epoch) } };
        if (event.kind === "expire") nowMs += LEASE_MS;
        return judgeSession({ epoch, ...known, nowMs });
      });
      const first = standings.indexOf("lost");

      expect(new Set(first < 0 ? ["lost"] : standings.slice(first))).toEqual(new Set(["lost"]));
    }),
  );
});

test("a host that was paused past its lease serves nobody before it has renewed it", () => {
  const at = (ageMs: number) => judgeOwnLease({ epoch: 3, renewedMs: NOW - ageMs, member: member(), nowMs: NOW });

  expect([at(0), at(LEASE_RENEWAL_MS), at(LEASE_MS - 1), at(LEASE_MS), at(60 * LEASE_MS)]).toEqual([
    "held",
    "due",
    "due",
    "expired",
    "expired",
  ]);
  expect(judgeOwnLease({ epoch: 3, renewedMs: undefined, member: undefined, nowMs: NOW })).toBe("expired");
});

test("a host of an earlier epoch, or one that was given up, is fenced however fresh its lease is", () => {
  const own = { epoch: 3, renewedMs: NOW, nowMs: NOW };

  expect(judgeOwnLease({ ...own, member: member({ epoch: 4 }) })).toBe("fenced");
  expect(judgeOwnLease({ ...own, member: member({ givenUpEpoch: 3 }) })).toBe("fenced");
  expect(judgeOwnLease({ ...own, member: member({ givenUpEpoch: 2 }) })).toBe("held");
});

test("a host stops believing in its lease before any door does", () => {
  fc.assert(
    fc.property(fc.nat(2 * LEASE_MS), fc.nat(5_000), (ageMs, wayMs) => {
      const own = judgeOwnLease({ epoch: 3, renewedMs: NOW - ageMs, member: member(), nowMs: NOW });
      const seen = judge(lease({ seenMs: Math.min(NOW, NOW - ageMs + wayMs) }), member());
      const isBothTrue = seen === "up" || own === "expired";

      expect(isBothTrue).toBe(true);
    }),
  );
});
