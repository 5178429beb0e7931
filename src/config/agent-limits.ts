/** The most that programs of agents may use in a project. */
import { lowestLimits, narrowLimits, type SessionLimits } from "../base/session-limits.ts";
import { projectSettings } from "./agent-sandbox.ts";
import { projectConfig } from "./project-config.ts";
import type { UserConfig } from "./user-config.ts";

interface AgentPlace {
  /** The folder of the project, without symbolic links. */
  readonly project: string;
  /** What a flag asks for. The agent's client may have written it, so it can only lower. */
  readonly asked: SessionLimits | undefined;
}

/** Like `agentSandbox`: the flag is checked at once, the project's own file on each call of the result. */
export function agentLimits(config: UserConfig, { project, asked }: AgentPlace): () => SessionLimits | undefined {
  const most = narrowLimits(projectSettings(config, project)?.limits ?? config.limits, asked);
  return () => lowestLimits(most, projectConfig(project).limits);
}
