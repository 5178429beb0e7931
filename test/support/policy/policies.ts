/** Policies for tests, from the objects that a file would contain. */
import { readJsonTree } from "../../../src/config/jsonc/read-jsonc.ts";
import type { CommandAct } from "../../../src/safety/policy/act.ts";
import { judge } from "../../../src/safety/policy/judge.ts";
import type { Policy } from "../../../src/safety/policy/policy.ts";
import { parsePolicy } from "../../../src/safety/policy/rules/parse-policy.ts";
import type { Decision } from "../../../src/safety/policy/verdict.ts";

export function policyOf(user: object | undefined, project?: object): Policy {
  const layer = (content: object, scope: "user" | "project") =>
    parsePolicy(readJsonTree(JSON.stringify(content)), { file: `${scope}.json`, scope });
  return { layers: [...(user ? [layer(user, "user")] : []), ...(project ? [layer(project, "project")] : [])] };
}

export function commandAct(command: string, changes: Partial<CommandAct> = {}): CommandAct {
  return { kind: "command", command, shell: "bash", cwd: "/", env: {}, isShared: false, definedNames: [], ...changes };
}

export function decide(command: string, policy: Policy, changes: Partial<CommandAct> = {}): Decision {
  return judge(commandAct(command, changes), policy).decision;
}
