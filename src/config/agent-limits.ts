/** What programs of agents may use in a project: by default, and at most. */
import { type Allowance, allowanceOf } from "../base/allowance.ts";
import { lowestLimits, narrowLimits, type SessionLimits } from "../base/session-limits.ts";
import { projectSettings } from "./agent-sandbox.ts";
import { projectConfig } from "./project-config.ts";
import type { UserConfig } from "./user-config.ts";

interface AgentPlace {
  /** The folder of the project, without symbolic links. */
  readonly project: string;
  /** What a flag asks for. The agent's client may have written it, so it cannot exceed the ceiling. */
  readonly asked: SessionLimits | undefined;
}

/** Like `agentSandbox`: the flag is checked at once, the project's own file on each call of the result. */
export function agentLimits(config: UserConfig, { project, asked }: AgentPlace): () => Allowance<SessionLimits> {
  const own = allowanceOf(projectSettings(config, project)?.limits ?? config.limits);
  const allowed = { default: { ...own.default, ...asked }, ceiling: narrowLimits(own.ceiling, asked) };
  return () => {
    const theirs = allowanceOf(projectConfig(project).limits);
    const ceiling = lowestLimits(allowed.ceiling, theirs.ceiling);
    return { default: lowestLimits(ceiling, lowestLimits(allowed.default, theirs.default)), ceiling };
  };
}
