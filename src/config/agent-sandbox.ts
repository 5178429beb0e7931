/** What programs of agents may do in a project: by default, and at most. */
import { realpathSync } from "node:fs";
import { type Allowance, allowanceOf } from "../base/allowance.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import { completeSandbox, intersectSandboxes, narrowSandbox } from "../safety/sandbox/narrow-sandbox.ts";
import { projectConfig } from "./project-config.ts";
import { type ProjectSettings, settingsFor } from "./settings/read-projects.ts";
import type { UserConfig } from "./user-config.ts";

interface AgentPlace {
  /** The folder of the project, without symbolic links. */
  readonly project: string;
  /** What a flag asks for. The agent's client may have written it, so it cannot exceed the ceiling. */
  readonly asked: SandboxRequest | undefined;
}

/**
 * Throws if the flag asks for more than the person allows. The project's own file is read on each call of the result,
 * which throws if the file has a mistake: then nothing runs.
 */
export function agentSandbox(config: UserConfig, { project, asked }: AgentPlace): () => Allowance<SandboxRequest> {
  const own = allowanceOf(projectSettings(config, project)?.sandbox ?? config.sandbox);
  const allowed = asked ? { default: withFlag(own, asked), ceiling: narrowSandbox(own.ceiling, asked) } : own;
  return () => {
    const theirs = allowanceOf(projectConfig(project).sandbox);
    const ceiling = intersectSandboxes(allowed.ceiling, theirs.ceiling);
    return { default: intersectSandboxes(ceiling, intersectSandboxes(allowed.default, theirs.default)), ceiling };
  };
}

function withFlag(own: Allowance<SandboxRequest>, asked: SandboxRequest): SandboxRequest | undefined {
  return narrowSandbox(own.ceiling, completeSandbox(own.default, asked));
}

/**
 * The same for each place. What the person has set for a place replaces the general setting, and is narrowed in the
 * same way.
 */
export function sandboxAt(config: UserConfig, agent: AgentPlace): (place: string | null) => Allowance<SandboxRequest> {
  const here = agentSandbox(config, agent);
  return (place) => {
    const own = place === null ? undefined : config.places?.[place]?.sandbox;
    if (own === undefined) return here();
    const theirs = allowanceOf(projectConfig(agent.project).sandbox);
    const limit = intersectSandboxes(own === "off" ? undefined : own, agent.asked);
    const ceiling = intersectSandboxes(limit, theirs.ceiling);
    return { default: intersectSandboxes(ceiling, theirs.default), ceiling };
  };
}

/** What the person has set for the nearest folder around the project. */
export function projectSettings(config: UserConfig, project: string): ProjectSettings | undefined {
  const projects = (config.projects ?? []).map((each) => ({ ...each, folder: realOf(each.folder) }));
  return settingsFor(projects, project);
}

/** A folder that does not exist keeps its name. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
