/** A request for approval, as an agent's tool makes it. */
import type { ApprovalAsk } from "../../../src/service/approvals/approval.ts";

export function approvalAsk(text: string, given: Partial<ApprovalAsk> = {}): ApprovalAsk {
  return {
    caller: "agent",
    requestId: crypto.randomUUID(),
    client: "claude-code",
    tool: "run",
    act: { kind: "command", text, program: "/bin/bash", session: null, directory: "/tmp", env: {}, sandbox: null },
    reasons: [{ text: "The rule says ask (policy.json:3)", topic: "policy.json:3" }],
    prefixes: [],
    timeoutMs: 600_000,
    mode: "shared",
    ...given,
  };
}
