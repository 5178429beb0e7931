/** The rules in a file, for the option `policy` of tools. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import { workingDirectory } from "../base/working-directory.ts";
import type { Policy } from "../safety/policy/policy.ts";

/**
 * The rules in a file like `policy.json`, read before each act of the model. If the file is missing or has a mistake,
 * acts fail with `BAD_POLICY`.
 */
export function policyFile(path: string): () => Promise<Policy> {
  const userFile = resolve(workingDirectory(), path);
  return async () => {
    if (!existsSync(userFile)) {
      throw new LimpetError("BAD_POLICY", `${userFile} does not exist. Write a policy there, or omit policy.`);
    }
    // Loaded on first use, because the parser is large.
    const { loadPolicy } = await import("../config/load-policy.ts");
    return loadPolicy({ userFile });
  };
}
