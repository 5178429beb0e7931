import fc from "fast-check";
import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { hasQuota, judgeQuota, parseQuotas } from "./quotas.ts";

const asks = { caller: "agent", project: "/srv/app", sessionsOfCaller: 0, sessionsOfProject: 0 };

test("without a document of quotas for it, nobody is refused", () => {
  const quotas = parseQuotas("{}");

  expect(judgeQuota(quotas, { ...asks, sessionsOfCaller: 999_999 })).toBeUndefined();
});

test("a caller at its quota is refused, and told how many run", () => {
  const quotas = parseQuotas('{"callers": {"*": 2, "ci": 3}}');

  expect(judgeQuota(quotas, { ...asks, sessionsOfCaller: 1 })).toBeUndefined();
  expect(judgeQuota(quotas, { ...asks, sessionsOfCaller: 2 })).toBe(
    'The caller "agent" runs 2 of at most 2 sessions in the fleet. End one, or ask an operator for a larger quota.',
  );
  expect(judgeQuota(quotas, { ...asks, caller: "ci", sessionsOfCaller: 2 })).toBeUndefined();
});

test("a named project has its own quota, also one named like a property of objects", () => {
  const quotas = parseQuotas('{"projects": {"__proto__": 1, "/srv/app": 0}}');

  expect(judgeQuota(quotas, asks)).toMatch(/^The project "\/srv\/app" runs 0 of at most 0 sessions/);
  expect(judgeQuota(quotas, { ...asks, project: "__proto__", sessionsOfProject: 1 })).toMatch(/at most 1 session /);
  expect(judgeQuota(quotas, { ...asks, project: "constructor", sessionsOfProject: 9 })).toBeUndefined();
});

test.each([
  "",
  "[]",
  "null",
  "7",
  '{"caller": {}}',
  '{"callers": []}',
  '{"callers": {"a": "5"}}',
  '{"callers": {"a": -1}}',
])("%j is refused as a whole", (document) => expect(codeOfThrown(() => parseQuotas(document))).toBe("BAD_CONFIG"));

test("one more session never passes a quota", () => {
  const counts = fc.record({ most: fc.nat(50), running: fc.nat(50) });

  fc.assert(
    fc.property(counts, ({ most, running }) => {
      const quotas = parseQuotas(JSON.stringify({ callers: { "*": most } }));
      const isAllowed = judgeQuota(quotas, { ...asks, sessionsOfCaller: running }) === undefined;

      expect(isAllowed).toBe(running + 1 <= most);
    }),
  );
});

test("a session of no project has no quota of projects, and nobody is counted without a quota", () => {
  const quotas = parseQuotas('{"callers": {"ci": 1}, "projects": {"*": 0}}');

  expect(judgeQuota(quotas, { ...asks, project: null })).toBeUndefined();
  expect(hasQuota(quotas, { caller: "agent", project: null })).toBe(false);
  expect(hasQuota(quotas, { caller: "ci", project: null })).toBe(true);
  expect(hasQuota(quotas, { caller: "agent", project: "/srv/app" })).toBe(true);
});
