import { expect, test } from "vitest";
import { readJsonTree } from "../../../config/jsonc/read-jsonc.ts";
import { parsePolicy } from "./parse-policy.ts";

function parse(text: string) {
  return parsePolicy(readJsonTree(text), { file: "policy.json", scope: "user" });
}

test("every setting of a file is read, and rules know their lines", () => {
  const layer = parse(`// mine
{
  "default": "deny",
  "input": { "python3": "allow" },
  "env": ["MY_*"],
  "cautions": { "write": "allow" },
  "rules": [
    { "prefix": ["git", ["status", "diff"]], "decision": "allow", "match": ["git diff x"], "notMatch": ["git push"] },

    { "prefix": ["ls"], "decision": "ask", "why": "why not", "exact": true, "accept": ["write"] },
  ],
}`);

  expect(layer).toEqual({
    file: "policy.json",
    scope: "user",
    default: "deny",
    input: { "*": "ask", python3: "allow" },
    env: ["MY_*"],
    cautions: { write: "allow" },
    rules: [
      {
        prefix: ["git", ["status", "diff"]],
        decision: "allow",
        isExact: false,
        accept: [],
        match: ["git diff x"],
        notMatch: ["git push"],
        line: 8,
      },
      {
        prefix: ["ls"],
        decision: "ask",
        isExact: true,
        why: "why not",
        accept: ["write"],
        match: [],
        notMatch: [],
        line: 10,
      },
    ],
  });
});

test.each([
  ['{\n"defualt": "ask" }', 'Line 2 has an unknown setting "defualt". Use default, input, env, cautions and rules.'],
  ['{\n"default": "maybe" }', "Line 2 needs a decision. Use one of: allow, ask, deny."],
  ["[]", "Line 1 needs an object for the policy. Put it in { and }."],
  ['{ "rules": {} }', "Line 1 needs a list for rules. Put it in [ and ]."],
  ['{ "rules": [\n"rm"] }', "Line 2 needs an object for a rule. Put it in { and }."],
  [
    '{ "rules": [\n{ "decision": "deny" }] }',
    "Line 2 begins a rule without a prefix or a decision. Give it both of them.",
  ],
  [
    '{ "rules": [{ "prefix": [], "decision": "deny" }] }',
    'Line 1 has an empty prefix. Use words such as ["git", "status"].',
  ],
  ['{ "rules": [{ "prefix": [[]], "decision": "deny" }] }', "Line 1 has no alternative. Give one word or more."],
  ['{ "rules": [{ "prefix": [1], "decision": "deny" }] }', 'Line 1 needs a string in prefix. Put it in " and ".'],
  [
    '{ "rules": [{ "prefix": ["a"], "decision": "deny",\n"regex": "x" }] }',
    'Line 2 has an unknown field "regex" in a rule. Use prefix, decision, exact, why, accept, match, notMatch.',
  ],
  [
    '{ "rules": [{ "prefix": ["a"], "decision": "allow", "exact": 1 }] }',
    "Line 1 needs true or false for exact. Use true, or leave it out.",
  ],
  ['{ "env": "X" }', "Line 1 needs a list for env. Put it in [ and ]."],
  ['{ "input": { "vim": "yes" } }', "Line 1 needs a decision. Use one of: allow, ask, deny."],
])("%j is refused with its line", (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test.each([
  '{ "cautions": { "wirte": "allow" } }',
  '{ "rules": [{ "prefix": ["a"], "decision": "allow", "accept": ["wirte"] }] }',
])("an unknown caution is refused: %s", (text) => {
  expect(() => parse(text)).toThrow(/^Line 1 names an unknown caution "wirte"\. Use one of: parse, dialect, /);
});

test.each([
  [
    '"match": ["git status"]',
    'Line 1: the rule for ["git","push"] does not apply to its example "git status". Change the prefix or the example.',
  ],
  [
    '"notMatch": ["git push -f"]',
    'Line 1: the rule for ["git","push"] applies to its counterexample "git push -f". Change the prefix or the example.',
  ],
  ['"match": ["git $x"]', 'does not apply to its example "git $x"'],
])("a rule with %s is refused", (examples, message) => {
  expect(() => parse(`{ "rules": [{ "prefix": ["git", "push"], "decision": "deny", ${examples} }] }`)).toThrow(message);
});

test("JSON with a mistake, or with a key twice, is refused with its line", () => {
  expect(() => parse('{\n"default" "ask" }')).toThrow("Line 2 is not valid JSON (colon expected).");
  expect(() => parse('{ "default": "ask",\n"default": "allow" }')).toThrow('Line 2 repeats the key "default".');
  expect(() => parse("")).toThrow("Line 1 is not valid JSON");
});
