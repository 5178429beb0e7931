import fc from "fast-check";
import { expect, test } from "vitest";
import { decideWait, nextDecisionMs, type WaitFacts, type WaitLimits } from "./decide-wait.ts";

const NOTHING: WaitFacts = {
  nowMs: 1_000,
  startedMs: 0,
  lastOutputMs: 900,
  exit: undefined,
  cursor: 7,
  match: undefined,
  input: undefined,
  listening: undefined,
};
const match = { index: 0, text: "ready", groups: { word: "ready" }, captures: ["ready"] };
const exit = { kind: "code", code: 3 } as const;
const input = { state: "password", certainty: "once", basis: { kind: "nobody" }, fingerprint: "1" } as const;
const listening = { port: 8080, address: "::", pid: 4 };

const CASES: readonly (readonly [string, Partial<WaitFacts>, WaitLimits, unknown])[] = [
  ["nothing", {}, {}, undefined],
  [
    "a match",
    { match },
    {},
    { reason: "matched", text: "ready", groups: { word: "ready" }, captures: ["ready"], cursor: 7 },
  ],
  [
    "a match without groups",
    { match: { index: 0, text: "x" } },
    {},
    { reason: "matched", text: "x", groups: {}, captures: [], cursor: 7 },
  ],
  [
    "a match and an exit",
    { match, exit },
    {},
    { reason: "matched", text: "ready", groups: { word: "ready" }, captures: ["ready"], cursor: 7 },
  ],
  ["an exit", { exit }, {}, { reason: "exited", exit, cursor: 7 }],
  ["an exit and input", { exit, input }, {}, { reason: "exited", exit, cursor: 7 }],
  [
    "input",
    { input },
    {},
    { reason: "input", waitingFor: "password", evidence: "no process waits for the terminal's input", cursor: 7 },
  ],
  [
    "input at the deadline",
    { input },
    { deadlineMs: 10 },
    { reason: "input", waitingFor: "password", evidence: "no process waits for the terminal's input", cursor: 7 },
  ],
  ["no input", { input: { ...input, state: "none" } }, {}, undefined],
  ["a program about which nothing is known", { input: { ...input, state: "unknown" } }, {}, undefined],
  [
    "a program that seems to wait for something unknown",
    { input: { ...input, state: "unknown", certainty: "quiet" } },
    {},
    { reason: "input", waitingFor: "unknown", evidence: "no process waits for the terminal's input", cursor: 7 },
  ],
  ["a port", { listening }, { deadlineMs: 10 }, { reason: "listening", port: 8080, address: "::", cursor: 7 }],
  ["silence", {}, { quietMs: 100 }, { reason: "quiet", silentMs: 100, cursor: 7 }],
  ["too short a silence", {}, { quietMs: 101 }, undefined],
  ["silence from before the call", { startedMs: 950 }, { quietMs: 100 }, undefined],
  ["the deadline", {}, { deadlineMs: 1_000 }, { reason: "deadline", cursor: 7 }],
  ["a deadline to come", {}, { deadlineMs: 1_001 }, undefined],
  ["a deadline of 0", { startedMs: 1_000 }, { deadlineMs: 0 }, { reason: "deadline", cursor: 7 }],
  ["silence and the deadline", {}, { quietMs: 1, deadlineMs: 1 }, { reason: "quiet", silentMs: 100, cursor: 7 }],
];

test.each(CASES)("with %s, the wait ends for that reason or continues", (_, facts, limits, decided) => {
  expect(decideWait({ ...NOTHING, ...facts }, limits)).toEqual(decided);
});

const anyFacts: fc.Arbitrary<WaitFacts> = fc.record({
  nowMs: fc.integer({ min: 0, max: 10_000 }),
  startedMs: fc.constant(0),
  lastOutputMs: fc.integer({ min: -100, max: 10_000 }),
  exit: fc.constantFrom(undefined, exit),
  cursor: fc.nat(),
  match: fc.constantFrom(undefined, match),
  input: fc.constantFrom(undefined, input),
  listening: fc.constantFrom(undefined, listening),
});
const anyLimits: fc.Arbitrary<WaitLimits> = fc.record({
  quietMs: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }),
  deadlineMs: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
});

test("a match wins over everything, an exit over everything else", () => {
  fc.assert(
    fc.property(anyFacts, anyLimits, (facts, limits) => {
      const decided = decideWait(facts, limits);

      if (facts.match) expect(decided?.reason).toBe("matched");
      else if (facts.exit) expect(decided?.reason).toBe("exited");
    }),
  );
});

test("if nothing happens, a wait ends at the time of its next decision, and not before", () => {
  fc.assert(
    fc.property(anyFacts, anyLimits, (facts, limits) => {
      const idle = { ...NOTHING, lastOutputMs: facts.lastOutputMs };
      const atMs = nextDecisionMs(idle, limits);

      fc.pre(Number.isFinite(atMs));
      expect(decideWait({ ...idle, nowMs: atMs }, limits)).toBeDefined();
      expect(decideWait({ ...idle, nowMs: atMs - 1 }, limits)).toBeUndefined();
    }),
  );
});

test("without quietMs and deadlineMs, only an event ends the wait", () => {
  expect(nextDecisionMs(NOTHING, {})).toBe(Number.POSITIVE_INFINITY);
});
