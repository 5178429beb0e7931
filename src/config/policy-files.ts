/** Where policies are: the user's beside `config.json`, and one in the project, which can only narrow it. */
import { dirname, join } from "node:path";
import { configFile } from "./user-config.ts";

export interface PolicyFiles {
  readonly userFile: string;
  readonly projectFile: string;
}

/** The files need not exist. `project` is the root of the project. */
export function policyFiles(env: NodeJS.ProcessEnv, project: string): PolicyFiles {
  return { userFile: join(dirname(configFile(env)), "policy.json"), projectFile: join(project, ".limpet.policy.json") };
}
