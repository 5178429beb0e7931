import { expect, test } from "vitest";
import type { Verdict } from "../../safety/policy/verdict.ts";
import type { ApprovalAct } from "../../service/approvals/approval.ts";
import { prefixesOf, reasonsOf } from "./reasons-of.ts";

const act: ApprovalAct = {
  kind: "command",
  text: "git push; rm x",
  program: "bash",
  session: 4,
  directory: "/",
  env: {},
  sandbox: null,
};

function asking(...reasons: readonly (readonly [rule: string, part: string])[]): Verdict {
  return {
    decision: "ask",
    reasons: [
      ...reasons.map(([rule, part]) => ({ decision: "ask" as const, rule, part, why: "Why." })),
      { decision: "allow", rule: "p.json:1", part: "ls", why: "Allowed." },
    ],
  };
}

test("a person reads each reason once, and an approval for the session covers its rule and program", () => {
  const verdict = asking(
    ["p.json:3", "git push -f"],
    ["p.json:3", "git push -f"],
    ["p.json:9", "rm x"],
    ["caution eval", "eval x"],
  );

  expect(reasonsOf(verdict, act)).toEqual([
    { text: "Why (p.json:3): git push -f", topic: "p.json:3 git push" },
    { text: "Why (p.json:9): rm x", topic: "p.json:9 rm" },
    { text: "Why (caution eval): eval x", topic: "caution eval eval x" },
  ]);
  expect(reasonsOf(asking(["input of p.json", "python3"]), { ...act, kind: "input", program: "python3" })).toEqual([
    { text: "Why (input of p.json): python3", topic: "input 4 python3" },
  ]);
});

test("a rule is offered only if a missing rule in that file is all that is wrong", () => {
  const missing = ["default of /p.json", "npm run build"] as const;

  expect(prefixesOf(asking(missing, missing), "/p.json")).toEqual([["npm", "run", "build"]]);
  expect(prefixesOf(asking(missing), "/other.json")).toEqual([]);
  expect(prefixesOf(asking(missing, ["/p.json:3", "git push"]), "/p.json")).toEqual([]);
  expect(prefixesOf(asking(["default of /p.json", "echo $HOME"]), "/p.json")).toEqual([]);
});
