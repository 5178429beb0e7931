/** The guard for some rules. The parser of commands is large, and is loaded when there is something to judge. */
import type { ClientAsker } from "./ask-client.ts";
import { createGuard, type Judge } from "./create-guard.ts";
import type { Guard } from "./guard.ts";
import type { PolicyOptions } from "./policy-options.ts";

interface Agent {
  readonly tools: readonly { readonly name: string }[];
  /** The name of its client. */
  readonly client?: (() => string | undefined) | undefined;
  /** Undefined: its client cannot ask. */
  readonly asker: ClientAsker | undefined;
}

const judge: Judge = async (act, policy) => (await import("../../safety/policy/judge.ts")).judge(act, policy);

export function guardByPolicy(policy: PolicyOptions, { tools, client, asker }: Agent): Guard {
  const { rules, approval = "any", timeoutMs, hasPeople = false, ruleFile } = policy;
  return createGuard({
    policy: rules,
    judge,
    client,
    asker: approval === "any" ? asker : undefined,
    hasPeople,
    canWait: tools.some(({ name }) => name === "wait_for"),
    timeoutMs,
    ruleFile,
  });
}
