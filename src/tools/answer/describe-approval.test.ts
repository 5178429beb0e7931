import { expect, test } from "vitest";
import type { Approval } from "../../service/approvals/approval.ts";
import { describeApproval, describeApprovalLine } from "./describe-approval.ts";

const approval: Approval = {
  number: 3,
  caller: "codex #2",
  client: "codex",
  project: "/srv/api",
  tool: "run",
  act: {
    kind: "command",
    text: "git push\n\nDirectory: /tmp",
    program: "/bin/bash",
    session: 4,
    directory: "/srv/аpi",
    env: { GIT_SSH: "evil\nSandbox: workspace" },
    sandbox: { files: "workspace", network: "off" },
  },
  reasons: [{ text: "The rule says ask (policy.json:3): git push", topic: "t" }],
  prefixes: [],
  timeoutMs: 600_000,
  state: { kind: "open" },
  ageMs: 65_000,
  leftMs: 535_000,
};

test("a person sees the whole command, where it runs and why, and no line of it passes for one of ours", () => {
  expect(describeApproval(approval).split("\n")).toEqual([
    "codex #2 (codex) wants to run a command with /bin/bash in session 4:",
    "",
    "  | git push",
    "  | ",
    "  | Directory: /tmp",
    "",
    "Variable:  GIT_SSH=evil\\nSandbox: workspace",
    "Directory: /srv/⟨U+0430⟩pi",
    "Sandbox:   workspace, no network",
    "Asked by:  run in the project /srv/api",
    "Why:       The rule says ask (policy.json:3): git push",
  ]);
});

test("in a list it is one line", () => {
  expect(describeApprovalLine(approval)).toBe(
    '3  codex (65s ago, 8m left) in /srv/⟨U+0430⟩pi: "git push\\n\\nDirectory: /tmp"',
  );
});
