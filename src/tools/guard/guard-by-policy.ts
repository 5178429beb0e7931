/** The guard that applies a policy. Its modules are large, and are loaded when there is something to judge. */

import { lazy } from "../../base/async/lazy.ts";
import type { ClientAsker } from "./client-asker.ts";
import type { Judge } from "./create-guard.ts";
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
  const { rules, approval = "any", timeoutMs, hasPeople = false, at, ruleFile } = policy;
  const guard = lazy(async () => {
    const { createGuard } = await import("./create-guard.ts");
    return createGuard({
      policy: rules,
      judge,
      client,
      asker: approval === "any" ? asker : undefined,
      hasPeople,
      at,
      canWait: tools.some(({ name }) => name === "wait_for"),
      timeoutMs,
      ruleFile,
    });
  });
  return async (turn, context) => {
    try {
      return await (await guard())(turn, context);
    } catch (error) {
      policy.onRefused?.(error);
      throw error;
    }
  };
}
