import { expect, test } from "vitest";
import { decide, policyOf } from "../../../../test/support/policy/policies.ts";
import { readJsonTree } from "../../../config/jsonc/read-jsonc.ts";
import type { Policy } from "../policy.ts";
import { parsePolicy } from "../rules/parse-policy.ts";
import { importClaude } from "./import-claude.ts";
import { importCodex } from "./import-codex.ts";
import { PRESETS, type Preset, presetText } from "./presets.ts";

test("permissions of Claude Code become rules, and the others are named", () => {
  const permissions = {
    allow: ["Bash(git diff:*)", "Bash(npm run test)", "Bash(ls *)", "Read(~/.zshrc)", "Bash", 7],
    ask: ["Bash(git push:*)"],
    deny: ["Bash(curl:*)", "Bash(rm * /)", "Bash(a && b)", "Bash(echo $x:*)", "Bash(A=1 ls:*)", "WebFetch"],
  };

  expect(importClaude({ permissions })).toEqual({
    rules: [
      { prefix: ["git", "diff"], decision: "allow" },
      { prefix: ["npm", "run", "test"], decision: "allow", exact: true },
      { prefix: ["ls"], decision: "allow" },
      { prefix: ["git", "push"], decision: "ask" },
      { prefix: ["curl"], decision: "deny" },
    ],
    notes: [
      'allow "Read(~/.zshrc)" was skipped: it is about another tool.',
      'allow "Bash" was skipped: set "default" instead.',
      "allow 7 was skipped: it is not a string.",
      'deny "Bash(rm * /)" was skipped: * is only understood at the end.',
      'deny "Bash(a && b)" was skipped: it is not one plain command.',
      'deny "Bash(echo $x:*)" was skipped: not all of its words are literal.',
      'deny "Bash(A=1 ls:*)" was skipped: it is not one plain command.',
      'deny "WebFetch" was skipped: it is about another tool.',
    ],
  });
});

test.each([undefined, null, [], {}, { permissions: 1 }, { permissions: { allow: "Bash(ls)" } }])(
  "settings without permissions are no rules: %j",
  (settings) => {
    expect(importClaude(settings)).toEqual({ rules: [], notes: [] });
  },
);

test("prefix rules of Codex become rules", () => {
  const text = `# team rules
prefix_rule(
    pattern = ["gh", "pr", ["view", "list"]],  # alternatives
    decision = "prompt",
    justification = "Shows \\"titles\\"",
    match = ["gh pr view 1", ["gh", "pr", "list", "a b"]],
    not_match = ['gh pr --repo x view'],
)
prefix_rule(pattern=["ls"])
prefix_rule(pattern = ["rm"], decision = "forbidden",)
host_executable(name = "git", paths = ["/usr/bin/git"])
`;

  expect(importCodex(text)).toEqual({
    rules: [
      {
        prefix: ["gh", "pr", ["view", "list"]],
        decision: "ask",
        why: 'Shows "titles"',
        match: ["gh pr view 1", "gh pr list 'a b'"],
        notMatch: ["gh pr --repo x view"],
      },
      { prefix: ["ls"], decision: "allow" },
      { prefix: ["rm"], decision: "deny" },
    ],
    notes: ["Line 11: host_executable was skipped: limpet has no such rule."],
  });
});

test.each([
  [
    "prefix_rule(\n  pattern = NAMES)",
    "Line 2 has something other than calls with strings and lists. Write the rule without variables.",
  ],
  ["x = 1", "Line 1 has something other"],
  ['prefix_rule(pattern = ["a"]\n\n', "Line 3 has something other"],
  ['prefix_rule(pattern = "a"', "Line 1 has something other"],
  ["\nprefix_rule()", "Line 2 has a rule without a pattern or a known decision. Fix it first."],
  ['prefix_rule(pattern = ["a"], decision = "yes")', "Line 1 has a rule without a pattern"],
  ['prefix_rule(pattern = ["a])', "Line 1 has something other"],
])("%j is refused with its line", (text, message) => {
  expect(() => importCodex(text)).toThrow(message);
});

test.each(Object.entries(PRESETS))("the preset %s is a valid policy whose examples pass", (_, preset) => {
  const layer = parsePolicy(readJsonTree(presetText(preset)), { file: "policy.json", scope: "user" });

  expect(layer.rules).toHaveLength(preset.rules.length);
  expect(layer.default).toBe(preset.default);
});

function presetPolicy(name: string): Policy {
  const { description: _, ...content } = PRESETS[name] as Preset;
  return policyOf(content);
}

test("the preset careful lets reading pass, asks about changes and denies danger", () => {
  const policy = presetPolicy("careful");
  const decisions = (commands: readonly string[]) => commands.map((command) => decide(command, policy));

  expect(
    decisions([
      "ls -la",
      "git log --oneline | head -5",
      "grep -rn x src 2>/dev/null",
      "cat a | sort | uniq -c",
      "cd src && ls",
      "sed -n 1,20p f",
      "find . -name '*.ts' | wc -l",
    ]),
  ).toEqual(Array(7).fill("allow"));
  expect(
    decisions([
      "npm test",
      "rm x",
      "git commit -m x",
      "echo a > f",
      "find . -delete",
      "sed -i s/a/b/ f",
      "uniq a b",
      "python3 x.py",
    ]),
  ).toEqual(Array(8).fill("ask"));
  expect(decisions(["sudo ls", "git push --force", "limpet approve 1", "nice shutdown"])).toEqual(
    Array(4).fill("deny"),
  );
});

test("the preset read-only denies what is not known to read", () => {
  const policy = presetPolicy("read-only");

  expect(["ls", "npm test", "rm x", "$x"].map((command) => decide(command, policy))).toEqual([
    "allow",
    "deny",
    "deny",
    "deny",
  ]);
});
