import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { describeFull, parseQuotas, sharesOf } from "./quotas.ts";

const owner = { caller: "agent", project: "/srv/app" };

test("without a document of quotas for it, nobody is bound", () => {
  expect(sharesOf(parseQuotas("{}"), owner)).toEqual([]);
  expect(sharesOf(parseQuotas('{"callers": {"ci": 1}}'), owner)).toEqual([]);
});

test("a caller is bound by its own quota, or by that of everybody else, also its second client", () => {
  const quotas = parseQuotas('{"callers": {"*": 2, "ci": 3}}');

  expect(sharesOf(quotas, owner)).toEqual([{ what: "caller", name: "agent", most: 2 }]);
  expect(sharesOf(quotas, { ...owner, caller: "ci #12" })).toEqual([{ what: "caller", name: "ci", most: 3 }]);
});

test("a named project has its own quota, also one named like a property of objects", () => {
  const quotas = parseQuotas('{"projects": {"__proto__": 1, "/srv/app": 0}}');
  const of = (project: string | null) => sharesOf(quotas, { ...owner, project }).map(({ most }) => most);

  expect([of("/srv/app"), of("__proto__"), of("constructor"), of(null)]).toEqual([[0], [1], [], []]);
});

test("who is refused learns how many run", () => {
  expect(describeFull({ what: "caller", name: "agent", most: 2 }, 2)).toBe(
    'The caller "agent" runs 2 of at most 2 sessions in the fleet. End one, or ask an operator for a larger quota.',
  );
  expect(describeFull({ what: "project", name: "/x", most: 1 }, 1)).toMatch(/ at most 1 session in the fleet/);
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
