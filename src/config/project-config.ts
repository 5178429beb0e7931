/**
 * The settings in the folder of a project. Whoever wrote the project wrote them, and so may an agent. Therefore they
 * can only narrow what the person allows.
 */
import { join } from "node:path";
import type { Allowance } from "../base/allowance.ts";
import type { SandboxRequest } from "../base/sandbox-request.ts";
import type { SessionLimits } from "../base/session-limits.ts";
import { readSettingsFile, type SettingReaders } from "./read-settings-file.ts";
import { readLimits } from "./settings/read-limits.ts";
import { readSandbox } from "./settings/read-sandbox.ts";

/** Its name in the folder of the project. */
const PROJECT_FILE = ".limpet.json";

interface ProjectConfig {
  /** What programs of agents may do here: by default, and at most. */
  readonly sandbox?: Allowance<SandboxRequest>;
  /** What they may use here. */
  readonly limits?: Allowance<SessionLimits>;
}

const SETTINGS: SettingReaders<ProjectConfig> = { sandbox: readSandbox, limits: readLimits };

/** Empty if the project has no such file. A file with a mistake is refused. */
export function projectConfig(project: string): ProjectConfig {
  return readSettingsFile(join(project, PROJECT_FILE), SETTINGS, { home: "~", links: "refuse" });
}
